package sample

import "slices"

// twins are the tables that both regimes have under the same header, in the order of their kinds. Where the real files
// are wider than what is known of them, columns of the form's own questions stand in between.
var twins = []layout{
	{"Schedule_A_B", columns("FilingID,SchA-3,Schedule,Full Legal Name,DE/FE/I,Entity in Which,Title or Status,Status Acquired",
		"Ownership Code,Control Person,PR,OwnerID")},
	{"Schedule_D_1F", columns("FilingID,Street 1,Street 2,City,State,Country,Postal Code,Private Residence,Telephone Number",
		"Facsimile Number,Branch Number,Employees,BD,Bank,Insurance,Commodity,Municipal,Accounting,Law,Other")},
	{"1D3_CIK", columns("FilingID,CIK")},
	{"1E2_Additional_CRD", columns("FilingID,CRDNumber")},
	{"Schedule_D_7A", columns("FilingID,ReferenceID,Legal Name,Business Name,SEC Number or Other,CRD Number,Type,5a..p",
		"Control/Controlled,Common Control,Custodian,Exam Exempt,Street 1,Street 2,City,State,Country,Postal Code,Private Residence",
		"IA Exempt,Exemption,Foreign Registered,Share Persons,Share Location")},
	{"Schedule_D_7B2", columns("FilingID,Fund Name,Fund ID,Adviser Name,Adviser SEC Number,Clients Solicited?")},
	{"Schedule_D_7B1A3a", []string{"FilingID", "ReferenceID", "Name of Partner, etc."}},
	{"Schedule_D_7B1A6b", columns("FilingID,ReferenceID,Private Fund Name,Fund ID")},
	{"Schedule_D_7B1A7", columns("FilingID,ReferenceID,SubreferenceID,Private Fund Name,Fund ID,State,Country,3(c)(1) Exclusion,3(c)(7) Exclusion")},
	{"Schedule_D_7B1A24", columns("FilingID,ReferenceID,Name of Prime Broker,SEC Number,CRD Number,City,State,Country,Custodian")},
	{"Schedule_D_7B1A25", columns("FilingID,ReferenceID,Legal Name of Custodian,Primary Business Name,City,State,Country,Related Person",
		"SEC Number,Legal Entity Identifier")},
	{"Schedule_D_7B1A26", columns("FilingID,ReferenceID,Name of Administrator,City,State,Country,Related Person,Statements,Who Sends Statements")},
	{"Schedule_D_7B1A28", columns("FilingID,ReferenceID,SubreferenceID,Related Person,Name of Marketer,SEC Number,CRD Number,City,State,Country,Websites")},
	{"Schedule_D_7B1A28_websites", columns("FilingID,ReferenceID,SubreferenceID,Website Address")},
	{"DRP_Criminal", headerCriminal},
	{"DRP_Regulatory", headerRegulatory},
	{"DRP_Civil_Judicial", headerCivil},
	{"DRP_Advisory_Affiliates", columns("FilingID,ReferenceID,Disclosure Type,CRD Number,Affiliate Type,Registered,Affiliate Name")},
}

// The disclosure reporting pages.
var (
	items11CtoG = columns("11.C(1),11.C(2),11.C(3),11.C(4),11.C(5),11.D(1),11.D(2),11.D(3),11.D(4),11.D(5)",
		"11.E(1),11.E(2),11.E(3),11.E(4),11.F.,11.G.")
	sanctions = columns("Monetary Sanction,Monetary Amount,Revocation/Expulsion/Denial,Censure,Bar,Disgorgement/Restitution",
		"Cease and Desist/Injunction,Suspension")

	headerCriminal = columns("FilingID,Initial/Amended,11.A(1),11.A(2),11.B(1),11.B(2),Filed Against,ReferenceID,DRP Removed,Removal Reason",
		"Court,Court Location,Case Number,Date First Charged,Date First Charged Exact,Date First Charged Explanation,Event Detail,Felony",
		"Status,Status Date,Status Date Exact,Status Date Explanation,Disposition,Disposition Date,Sentence,Summary")
	headerRegulatory = slices.Concat(columns("FilingID,Initial/Amended"), items11CtoG,
		columns("Filed Against,ReferenceID,DRP Removed,Removal Reason,Initiator Type,Initiated By,Principal Sanction,Other Sanctions",
			"Date Initiated,Date Initiated Exact,Date Initiated Explanation,Case Number,Employing Firm,Principal Product,Other Products",
			"Allegations,Status,Appealed To,Appeal Date,Resolution,Resolution Date,Resolution Date Exact,Resolution Date Explanation",
			"Resolution Order Final,Fraud Order"),
		sanctions, columns("Other Sanctions Ordered,Sanction Detail,Summary"))
	headerCivil = slices.Concat(columns("FilingID,Initial/Amended,11.H(1)(a),11.H(1)(b),11.H(1)(c),11.H(2),Filed Against,ReferenceID",
		"DRP Removed,Removal Reason,Initiated By,Initiator Name,Court,Court Location,Case Number,Relief Sought,Other Relief",
		"Filing Date,Filing Date Exact,Filing Date Explanation,Principal Product,Other Products,Employing Firm,Allegations,Status",
		"Appeal Date,Appeal Court,Resolution Type,Resolution Date,Resolution Date Exact,Resolution Date Explanation"),
		sanctions, columns("Other Sanctions,Sanction Begin Date,Sanction End Date,Sanction Detail,Summary"))
)
