package purchase

import "gpatlas/platform/httpapi"

// Key is the API key that paid.
type Key struct {
	_ struct{} `nullable:"true"` // a pointer to it may be null

	ID   string `json:"id" format:"uuid" doc:"ID of the API key." example:"1f0e8a65-90b1-4d5c-9b53-5f7b1b0c9d21"`
	Name string `json:"name" doc:"Its present name. Revoked keys keep theirs." example:"Nightly sync"`
}

// SchemaName is its name in the OpenAPI document.
func (Key) SchemaName() string { return "PurchaseKey" }

func newKey(id *string, name string) *Key {
	if id == nil {
		return nil
	}
	return &Key{ID: *id, Name: name}
}

// Sum is the total of the purchases of one operation, key or day.
type Sum struct {
	Operation *string         `json:"operation" doc:"ID of the operation. Null if the sums are not by operation." example:"get-gp-metrics"`
	Key       *Key            `json:"key" db:"-" doc:"The API key that paid. Null for sessions and corrections, and if the sums are not by key."`
	Day       *string         `json:"day" format:"date" doc:"Day (UTC). Null if the sums are not by day." example:"2026-11-20"`
	Charges   int             `json:"charges" doc:"Rows of the complete list." example:"12"`
	Quantity  int64           `json:"quantity" doc:"Sum of quantity." example:"12"`
	Amount    httpapi.Dollars `json:"amount" doc:"Sum of amount, in USD." example:"1.8"`
}

// SchemaName is its name in the OpenAPI document.
func (Sum) SchemaName() string { return "PurchaseSum" }

// totalsOf adds sums up. One statement has read them, so that the parts and the whole are consistent while charges continue.
func totalsOf(sums []Sum) (t Totals) {
	for i := range sums {
		t.Total += sums[i].Charges
		t.Amount += sums[i].Amount
	}
	return t
}
