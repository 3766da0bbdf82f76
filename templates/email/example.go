package email

import "time"

// Mail is one of the mails of this package.
type Mail interface{ Content() (Content, error) }

// Examples has each mail once, by the name of its templates, filled in with invented data. base is the URL that links begin
// with, unsubscribe the page where a mail can be stopped.
func Examples(base, unsubscribe string) map[string]Mail {
	const (
		name    = "Ada Larkspur"
		token   = "Zm9yIHRlc3Rz-0123456789_abcdefghijklmnopqrstuvwxyz" //nolint:gosec // of examples
		invoice = "https://invoice.example/i/1"
	)
	at := time.Date(2026, 11, 20, 14, 30, 0, 0, time.UTC)
	failed := PaymentFailed{FullName: name, Amount: "49.00 USD", FailedAt: at, Gives: "Pro plan", EndsAt: at.AddDate(0, 0, 8), PayURL: invoice}
	return map[string]Mail{
		"verify_email":      VerifyEmail{name, Link(base, "/verify-email", token), Within(24 * time.Hour)},
		"reset_password":    ResetPassword{name, Link(base, "/reset-password", token), Within(time.Hour)},
		"password_changed":  PasswordChanged{name, at, base + "/forgot-password"},
		"data_exported":     DataExported{name, at, base + "/forgot-password"},
		"account_deleted":   AccountDeleted{name, at, base + "/recover-account", at.AddDate(0, 0, 30)},
		"account_recovered": AccountRecovered{name, at, base + "/login", base + "/forgot-password"},
		"trial_ending":      TrialEnding{name, at.AddDate(0, 0, 3), base + "/plans"},
		"trial_ended":       TrialEnded{name, at, base + "/plans"},
		"payment_receipt":   PaymentReceipt{name, "49.00 USD", at, invoice, unsubscribe},

		"payment_failed": failed, "payment_failed_again": PaymentFailedAgain(failed), "payment_failed_last": PaymentFailedLast(failed),
		"plan_ended": PlanEnded{name, "49.00 USD", at, "Pro plan", invoice},

		"spending_alert":    SpendingAlert{name, "80%", USD(80_250_000), USD(100_000_000), at, at.AddDate(0, 0, 11), base + "/account", unsubscribe},
		"spending_limit":    SpendingLimit{name, USD(24_900_000), USD(25_000_000), at, at.AddDate(0, 0, 11), base + "/plans", unsubscribe},
		"purchase_receipt":  exampleReceipt(name, at, base, unsubscribe),
		"activity_digest":   exampleDigest(name, at, base, unsubscribe),
		"market_intel":      exampleMarket(name, base, unsubscribe),
		"notification_test": NotificationTest{name, "activity_digest", at, base + "/account", unsubscribe},
		"notice":            NewNotice(name, "Maintenance on Sunday", "The service is unavailable on Sunday from 6:00 to 7:00 UTC.\n\nDetails:\n\n"+base+"/status", unsubscribe),
	}
}

func exampleReceipt(name string, at time.Time, base, unsubscribe string) PurchaseReceipt {
	return PurchaseReceipt{
		FullName: name, Purchases: "41 purchases", Amount: USD(20_750_000), First: at.Add(-50 * time.Minute), Last: at, URL: base + "/account", UnsubscribeURL: unsubscribe,
		Fees: USD(650_000), FeesSince: at.Add(-65 * time.Minute), FeesUntil: at.Add(5 * time.Minute),
		Lines: []ReceiptLine{
			{"Harbor Ridge Capital Partners LLC (CRD 900001)", "40 people of the team or alumni", USD(500_000), USD(20_000_000)},
			{"Mossgate & Wren Real Estate Credit Opportunities Management LP (CRD 900014)", "1 career", USD(750_000), USD(750_000)},
		},
	}
}

func exampleDigest(name string, at time.Time, base, unsubscribe string) ActivityDigest {
	filed := time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC)
	return ActivityDigest{
		FullName: name, Since: at, Filings: 1251, Funds: 2, MoreGPs: 3, UnsubscribeURL: unsubscribe,
		GPs: []DigestGP{
			{Name: "Harbor Ridge Capital Partners LLC", CRD: "900001", URL: base + "/gps/900001", News: []DigestNews{
				{"Form ADV amendment", filed}, {"New fund: Harbor Ridge Growth Fund III, L.P.", filed}, {"Form D", filed.AddDate(0, 0, -3)},
			}, More: 1248},
			{Name: "Mossgate & Wren Real Estate Credit Opportunities Management LP", CRD: "900014", URL: base + "/gps/900014", News: []DigestNews{
				{"New fund: Mossgate & Wren Commercial Real Estate Credit Opportunities Parallel Fund IV (Cayman), L.P.", filed.AddDate(0, 0, -1)},
				{"Form D amendment", filed.AddDate(0, 0, -8)},
			}},
		},
	}
}

func exampleMarket(name, base, unsubscribe string) MarketIntel {
	row := func(name, crd string, cells ...string) Row {
		return Row{Name: name, URL: base + "/gps/" + crd, Cells: cells}
	}
	return MarketIntel{
		FullName: name, From: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC),
		Summary: "2 new advisers, 2 changes of assets, 14 new funds and no closings", UnsubscribeURL: unsubscribe,
		Tables: []Table{
			{
				Heading: "New advisers", Note: "Advisers whose first filing became known.", Columns: []string{"Adviser", "Place", "Assets"},
				Rows: []Row{row("Ninefold Harbor Advisers LLC", "900031", "Boston, MA", "$410.0M"), row("Quillwater Partners", "900032", "London", "unknown")},
			},
			{
				Heading: "Largest changes of assets", Note: "Regulatory assets under management, compared with the filing before.",
				Columns: []string{"Adviser", "Assets", "Change"}, Rows: []Row{
					row("Harbor Ridge Capital Partners LLC", "900001", "$1.2B to $2.9B", "+141.7%"),
					row("Mossgate & Wren Real Estate Credit Opportunities Management LP", "900014", "$18.4B to $16.1B", "-12.5%"),
				},
			},
			{
				Heading: "New funds", Note: "Funds that a filing reported for the first time.", Columns: []string{"Fund", "Strategy", "Assets"},
				Rows: []Row{row("Harbor Ridge Growth Fund III, L.P.", "900001", "growth", "$350.0M")}, More: 13,
			},
			{Heading: "Closings", Note: "Funds that are no longer reported, and advisers that have withdrawn.", Columns: []string{"Name", "Kind", "Assets"}},
		},
		Sources: "Form ADV, Form ADV-W and lists of advisers and funds as published by the SEC, by the day on which GP Atlas loaded them.",
	}
}
