package load

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// Why rows cannot be loaded; empty if they can.

func identifierFault(v *catalogapi.IdentifierRow) string {
	switch {
	case v.Kind != catalogapi.IdentifierCIK && v.Kind != catalogapi.IdentifierCRD:
		return fmt.Sprintf("kind of number %q is neither cik nor crd", v.Kind)
	case !catalogapi.IsCRD(v.Value): // CIKs have the same form
		return fmt.Sprintf("%s number %q is not 1 to 10 digits without leading zeros", v.Kind, v.Value)
	}
	return ""
}

func affiliateFault(v *catalogapi.AffiliateRow) string {
	if v.LegalName == "" && v.BusinessName == "" && !catalogapi.IsCRD(v.CRD) {
		return "Legal Name, Business Name and CRD Number of the affiliate are all missing"
	}
	return cmp.Or(longName("Legal Name", v.LegalName), longName("Business Name", v.BusinessName))
}

func ownerFault(v *catalogapi.OwnerRow) string {
	switch v.Schedule {
	case "A", "B":
	default:
		return fmt.Sprintf("Schedule %q is neither A nor B", v.Schedule)
	}
	if clean(v.Name) == "" {
		return "Full Legal Name is blank"
	}
	switch v.EntityType {
	case "", "I", "DE", "FE":
	default:
		return fmt.Sprintf("DE/FE/I %q is unknown", v.EntityType)
	}
	switch v.OwnershipCode {
	case "", "NA", "A", "B", "C", "D", "E", "F":
	default:
		return fmt.Sprintf("Ownership Code %q is unknown", v.OwnershipCode)
	}
	return longName("Full Legal Name", v.Name)
}

func disclosureFault(v *catalogapi.DisclosureRow) string {
	if slices.Contains(catalogapi.DisclosureFamilies[:], v.Family) {
		return ""
	}
	return fmt.Sprintf("family of disclosures %q is unknown", v.Family)
}

func implicatedFault(v *catalogapi.DisclosureAffiliateRow) string {
	if strings.TrimSpace(v.Name) == "" && !catalogapi.IsCRD(v.CRD) {
		return "Affiliate Name and CRD Number are both missing"
	}
	return longName("Affiliate Name", v.Name)
}

func subAdvisedFault(v *catalogapi.SubAdvisedRow) string {
	if !catalogapi.IsFundID(v.FundID) && v.Name == "" {
		return fmt.Sprintf("Fund Name is blank and Fund ID %q is not 805- and ten digits", v.FundID)
	}
	return cmp.Or(longName("Fund Name", v.Name), longName("Adviser Name", v.AdviserName))
}

func feederFault(v *catalogapi.FeederRow) string {
	if !catalogapi.IsFundID(v.FundID) && v.Name == "" {
		return fmt.Sprintf("Private Fund Name is blank and Fund ID %q is not 805- and ten digits", v.FundID)
	}
	return longName("Private Fund Name", v.Name)
}

// providerFault takes the business name of a provider without a legal one for its name.
func providerFault(v *catalogapi.ProviderRow) string {
	switch v.Role {
	case catalogapi.RoleGeneralPartner, catalogapi.RolePrimeBroker, catalogapi.RoleCustodian, catalogapi.RoleAdministrator, catalogapi.RoleMarketer:
	default:
		return fmt.Sprintf("role %q is unknown", v.Role)
	}
	field := "the name of the fund's " + string(v.Role)
	if clean(v.Name) == "" {
		v.Name = v.BusinessName
	}
	if clean(v.Name) == "" {
		return field + " is blank"
	}
	return cmp.Or(longName(field, v.Name), longName(field, v.BusinessName))
}
