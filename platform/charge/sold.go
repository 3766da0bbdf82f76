package charge

// PlansSold reports whether this service sells plans. If not, no signed-in caller is refused for lack of a plan.
type PlansSold bool
