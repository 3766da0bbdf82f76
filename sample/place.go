package sample

import "strings"

// city is a place of business. Real places, for filters by place to make sense; the streets are made up.
type city struct {
	name, state, country string
	postal               string // first characters
	phone                string // area code
	weight               int
}

var homeCities = parseCities(`New York|NY|100|212|220;San Francisco|CA|941|415|90;Boston|MA|021|617|70;Chicago|IL|606|312|60
	Los Angeles|CA|900|310|60;Menlo Park|CA|940|650|35;Palo Alto|CA|943|650|30;Greenwich|CT|068|203|35;Stamford|CT|069|203|20
	Dallas|TX|752|214|40;Houston|TX|770|713|30;Austin|TX|787|512|30;Miami|FL|331|305|40;West Palm Beach|FL|334|561|15
	Boca Raton|FL|334|561|12;Tampa|FL|336|813|8;Atlanta|GA|303|404|26;Denver|CO|802|303|24;Boulder|CO|803|720|8;Seattle|WA|981|206|22
	Philadelphia|PA|191|215|16;Radnor|PA|190|610|8;Pittsburgh|PA|152|412|7;Minneapolis|MN|554|612|14;Charlotte|NC|282|704|14
	Raleigh|NC|276|919|6;Nashville|TN|372|615|12;Washington|DC|200|202|16;Bethesda|MD|208|301|8;Baltimore|MD|212|410|8
	Salt Lake City|UT|841|801|12;Lehi|UT|840|801|5;San Diego|CA|921|619|14;Newport Beach|CA|926|949|14;Santa Monica|CA|904|310|12
	Phoenix|AZ|850|602|10;Scottsdale|AZ|852|480|8;Cleveland|OH|441|216|8;Columbus|OH|432|614|7;Cincinnati|OH|452|513|5
	Birmingham|MI|480|248|8;Grand Rapids|MI|495|616|4;Milwaukee|WI|532|414|6;Madison|WI|537|608|4;St. Louis|MO|631|314|8
	Kansas City|MO|641|816|6;Indianapolis|IN|462|317|6;Omaha|NE|681|402|4;Richmond|VA|232|804|6;Arlington|VA|222|703|6
	Portland|OR|972|503|7;Portland|ME|041|207|2;Princeton|NJ|085|609|7;Jersey City|NJ|073|201|6;Wilmington|DE|198|302|5
	Providence|RI|029|401|4;Burlington|VT|054|802|2;New Orleans|LA|701|504|4;Birmingham|AL|352|205|4;Louisville|KY|402|502|4
	Las Vegas|NV|891|702|8;Reno|NV|895|775|3;Boise|ID|837|208|3;Jackson|WY|830|307|3;Honolulu|HI|968|808|2;Charleston|SC|294|843|4
	Des Moines|IA|503|515|3;Oklahoma City|OK|731|405|3;Albuquerque|NM|871|505|2;Manchester|NH|031|603|2;San Juan|PR|009|787|4`)

var foreignCities = parseCities(`London|United Kingdom|W1|44|300;Edinburgh|United Kingdom|EH|44|10;Hong Kong|Hong Kong||852|100;Singapore|Singapore|06|65|95
	Toronto|Canada|M5|416|70;Montréal|Canada|H3|514|18;Vancouver|Canada|V6|604|15;Zürich|Switzerland|80|41|35;Geneva|Switzerland|12|41|25
	Zug|Switzerland|63|41|10;Paris|France|75|33|40;Luxembourg|Luxembourg|L-|352|30;Tel Aviv|Israel|67|972|50;Tokyo|Japan|10|81|30
	Sydney|Australia|20|61|25;Melbourne|Australia|30|61|8;Dublin|Ireland|D0|353|20;Amsterdam|Netherlands|10|31|18;Frankfurt|Germany|60|49|14
	Munich|Germany|80|49|14;Stockholm|Sweden|11|46|18;Copenhagen|Denmark|11|45|8;Oslo|Norway|02|47|8;Madrid|Spain|28|34|12;Milan|Italy|20|39|10
	São Paulo|Brazil|04|55|35;Mumbai|India|40|91|25;Bengaluru|India|56|91|12;Beijing|China|10|86|25;Shanghai|China|20|86|30
	George Town|Cayman Islands|KY|345|14;Hamilton|Bermuda|HM|441|8;Dubai|United Arab Emirates||971|18;Mexico City|Mexico|06|52|10
	St. Peter Port|Guernsey|GY|44|8;St. Helier|Jersey|JE|44|8`)

// parseCities reads name|state|postal|phone|weight, or the country's name in the state's place.
func parseCities(table string) []city {
	var list []city
	for entry := range strings.SplitSeq(strings.ReplaceAll(table, "\n", ";"), ";") {
		f := strings.Split(strings.TrimSpace(entry), "|")
		c := city{name: f[0], state: f[1], country: "United States", postal: f[2], phone: f[3]}
		if len(f[1]) > 2 {
			c.state, c.country = "", f[1]
		}
		for _, digit := range f[4] {
			c.weight = c.weight*10 + int(digit-'0')
		}
		list = append(list, c)
	}
	return list
}

func weightsOf(list []city) []int {
	w := make([]int, len(list))
	for i, c := range list {
		w[i] = c.weight
	}
	return w
}

var homeWeights, foreignWeights = weightsOf(homeCities), weightsOf(foreignCities)

var streets = strings.Split("Market Street,Main Street,Park Avenue,Broad Street,Harbor Drive,Mill Lane,State Street,Orchard Road,"+
	"King Street,Canal Street,Elm Street,Station Road,Commerce Square,Exchange Place,Lakeshore Drive,College Avenue,"+
	"Bridge Street,Garden Walk,Observatory Hill,Foundry Row", ",")

// legalForms are the ends of firms' names, by country; the first list is for the United States.
var legalForms = map[string][]string{
	"United States":  {"LLC", "LLC", "L.P.", "LP", "Inc.", "L.L.C.", "Management, LLC", "Management Company, LLC", "Holdings, L.P."},
	"United Kingdom": {"LLP", "Limited", "Ltd", "LLP"}, "Hong Kong": {"Limited", "(Asia) Limited"},
	"Singapore": {"Pte. Ltd.", "Pte Ltd"}, "Canada": {"Inc.", "Ltd.", "ULC"}, "Switzerland": {"AG", "SA", "GmbH"},
	"France": {"SAS", "S.A.S.", "Gestion SAS"}, "Luxembourg": {"S.à r.l.", "S.A."}, "Israel": {"Ltd.", "Management Ltd."},
	"Japan": {"K.K.", "Co., Ltd."}, "Australia": {"Pty Ltd", "Pty Limited"}, "Ireland": {"Limited", "DAC"}, "Netherlands": {"B.V."},
	"Germany": {"GmbH", "Vermögensverwaltung GmbH"}, "Sweden": {"AB", "Förvaltning AB"}, "Denmark": {"A/S"}, "Norway": {"AS"},
	"Spain": {"Gestión S.L.", "SGEIC, S.A."}, "Italy": {"S.p.A.", "SGR S.p.A."}, "Brazil": {"Gestão de Recursos Ltda.", "Ltda."},
	"India": {"Private Limited", "LLP"}, "China": {"Co., Ltd.", "(Beijing) Co., Ltd."}, "Cayman Islands": {"Ltd.", "Limited"},
	"Bermuda": {"Ltd."}, "United Arab Emirates": {"Limited", "(DIFC) Limited"}, "Mexico": {"S.C.", "S.A. de C.V."},
	"Guernsey": {"Limited"}, "Jersey": {"Limited"},
}

// auditor is an audit firm; all are invented.
type auditor struct {
	name, city, state, country string
	pcaob                      bool
}

var auditors = parseAuditors(`Hallowmere Trask LLP|New York|New York||y;Brandesh & Follows LLP|New York|New York||y;Tarrowquist LLP|Chicago|Illinois||y
	Ostermundt Vale LLP|Boston|Massachusetts||y;Pellworth Grane LLP|San Francisco|California||y;Quillhaven, LLP|New York|New York||y
	Sandrel Moffit & Co., LLP|Dallas|Texas||y;Vexford Lane LLP|Los Angeles|California||y;Wrenholt Assurance LLP|Philadelphia|Pennsylvania||y
	Drummelscar PLLC|Houston|Texas||y;Ashkettle & Rooke, P.C.|Denver|Colorado||y;Corvanter LLP|Minneapolis|Minnesota||y
	Dunmarrow Pike LLP|Atlanta|Georgia||y;Everlund Accountancy Corporation|Irvine|California||n;Fennimarsh CPAs, LLC|Stamford|Connecticut||y
	Grenholm Stritch LLP|Seattle|Washington||n;Hestervane Audit|George Town||Cayman Islands|y;Tarrowquist (Cayman) Ltd.|George Town||Cayman Islands|y
	Hallowmere Trask (Cayman)|George Town||Cayman Islands|y;Brandesh & Follows|London||United Kingdom|y;Ostermundt Vale S.à r.l.|Luxembourg||Luxembourg|y
	Pellworth Grane|Dublin||Ireland|y;Tarrowquist|London||United Kingdom|y;Jorrance Lim PLT|Singapore||Singapore|y;Kellandro LLP|Singapore||Singapore|n
	Lantover CPA Limited|Hong Kong||Hong Kong|y;Mondragel SA|Paris||France|n;Nettleby Assurance AG|Zürich||Switzerland|y;Orlbeck LLP|Toronto||Canada|y
	Parravane & Sons, P.A.|Miami|Florida||n;Ravensgill LLP|Nashville|Tennessee||n;Stourholme, CPAs|Salt Lake City|Utah||n
	Thackerwell Group, P.C.|Charlotte|North Carolina||n;Umberlow LLP|Washington|District of Columbia||y;Yarrowgate Co.|Tel Aviv||Israel|y
	Zellivant Auditores Ltda.|São Paulo||Brazil|n`)

func parseAuditors(table string) []auditor {
	var list []auditor
	for entry := range strings.SplitSeq(strings.ReplaceAll(table, "\n", ";"), ";") {
		f := strings.Split(strings.TrimSpace(entry), "|")
		a := auditor{name: f[0], city: f[1], state: f[2], country: f[3], pcaob: f[4] == "y"}
		if a.country == "" {
			a.country = "United States"
		}
		list = append(list, a)
	}
	return list
}

// auditorWeights falls with the rank, as the market's shares do.
var auditorWeights = func() []int {
	w := make([]int, len(auditors))
	for i := range w {
		w[i] = 1000 / (i + 2)
	}
	return w
}()

// lawOf is a fund's place of organization: a state of the US by its full name, or a country.
type lawOf struct{ state, country string }

var (
	homeLaws = []lawOf{
		{"Delaware", "United States"},
		{"New York", "United States"},
		{"California", "United States"},
		{"Texas", "United States"},
		{"Nevada", "United States"},
		{"Massachusetts", "United States"},
		{"Wyoming", "United States"},
		{"Illinois", "United States"},
	}
	homeLawWeights  = []int{870, 25, 20, 30, 15, 15, 10, 15}
	abroadLaws      = []string{"Cayman Islands", "Luxembourg", "Ireland", "British Virgin Islands", "Bermuda", "Guernsey", "Jersey", "Singapore", "United Kingdom", "Canada"}
	abroadLawWeight = []int{640, 150, 60, 40, 25, 20, 20, 25, 20, 20}
)

// stateNames and countryCodes are how Form D names places: states in full, countries by EDGAR's two characters.
var (
	stateNames = parseNames(`NY New York;CA California;MA Massachusetts;IL Illinois;CT Connecticut;TX Texas;FL Florida;GA Georgia;CO Colorado
		WA Washington;PA Pennsylvania;MN Minnesota;NC North Carolina;TN Tennessee;DC District of Columbia;MD Maryland;UT Utah;AZ Arizona
		OH Ohio;MI Michigan;WI Wisconsin;MO Missouri;IN Indiana;NE Nebraska;VA Virginia;OR Oregon;ME Maine;NJ New Jersey;DE Delaware
		RI Rhode Island;VT Vermont;LA Louisiana;AL Alabama;KY Kentucky;NV Nevada;ID Idaho;WY Wyoming;HI Hawaii;SC South Carolina;IA Iowa
		OK Oklahoma;NM New Mexico;NH New Hampshire;PR Puerto Rico`, false)
	countryCodes = parseNames(`C3 Australia;D0 Bermuda;D5 Brazil;Z4 Canada;E9 Cayman Islands;F4 China;G7 Denmark;I0 France;2M Germany
		Y7 Guernsey;K3 Hong Kong;K7 India;L2 Ireland;L3 Israel;L6 Italy;M0 Japan;Y9 Jersey;N4 Luxembourg;O5 Mexico;P7 Netherlands
		Q8 Norway;U0 Singapore;U3 Spain;V7 Sweden;V8 Switzerland;C0 United Arab Emirates;X0 United Kingdom`, true)
)

// parseNames reads pairs of code and name, by code or by name.
func parseNames(table string, byName bool) map[string]string {
	names := map[string]string{}
	for entry := range strings.SplitSeq(strings.ReplaceAll(table, "\n", ";"), ";") {
		code, name, _ := strings.Cut(strings.TrimSpace(entry), " ")
		if byName {
			code, name = name, code
		}
		names[code] = name
	}
	return names
}
