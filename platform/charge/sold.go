package charge

// PlansSold says whether this copy of the service sells plans. Where it does not, nothing that depends on a plan is kept from
// anybody who has signed in.
type PlansSold bool
