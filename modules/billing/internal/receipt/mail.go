package receipt

import (
	"context"
	"fmt"
	"strings"

	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/templates/email"
)

const (
	chargesPath = "/account/charges"
	most        = 50 // lines of a mail; the rest is counted
)

// mail sends one receipt.
func (s *Service) mail(ctx context.Context, r Receipt) error {
	lines, err := s.store.lines(ctx, r)
	if err != nil || len(lines) == 0 {
		return err
	}
	var crds []string
	for _, l := range lines[:min(most, len(lines))] {
		if l.CRD != "" {
			crds = append(crds, l.CRD)
		}
	}
	beside, err := s.store.fees(ctx, r)
	if err != nil {
		return err
	}
	names, err := s.mailer.Managers(ctx, crds)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, r.UserID, r.key(), func(to mailing.Recipient) email.Mail {
		m := content(lines, names)
		if beside.Amount > 0 {
			m.Fees, m.FeesSince, m.FeesUntil = email.USD(beside.Amount), beside.Since.UTC(), r.MadeAt.UTC()
		}
		m.FullName, m.UnsubscribeURL, m.URL = to.FullName, to.UnsubscribeURL, s.mailer.Page(chargesPath)
		return m
	})
}

func content(lines []bought, names map[string]string) email.PurchaseReceipt {
	m := email.PurchaseReceipt{First: lines[0].First, Last: lines[0].Last}
	var purchases, sum, listed int64
	for i, l := range lines {
		purchases, sum = purchases+l.Purchases, sum+l.Amount
		if l.First.Before(m.First) {
			m.First = l.First
		}
		if l.Last.After(m.Last) {
			m.Last = l.Last
		}
		if i < most {
			listed += l.Amount
			m.Lines = append(m.Lines, email.ReceiptLine{Manager: l.about(names), What: l.what(), Unit: email.USD(l.Unit), Amount: email.USD(l.Amount)})
		}
	}
	m.Purchases, m.Amount = email.Count(int(purchases), "purchase"), email.USD(sum)
	if more := len(lines) - most; more > 0 {
		m.More = email.Count(more, "more line") + " for " + email.USD(sum-listed)
	}
	return m
}

// about is what the line is about: "Harbor Ridge Capital Partners LLC (CRD 900001)".
func (l bought) about(names map[string]string) string {
	switch {
	case l.CRD == "" && l.Subject == "":
		return "Several managers"
	case l.CRD == "":
		return l.Subject
	case names[l.CRD] == "": // the catalog does not list it any more
		return "CRD " + l.CRD
	}
	return fmt.Sprintf("%s (CRD %s)", names[l.CRD], l.CRD)
}

// products are how products are called in sentences: one, and many.
var products = map[string][2]string{
	"roster": {"person of the team or alumni", "people of the team or alumni"}, "profile": {"profile", "profiles"}, "career": {"career", "careers"},
}

func (l bought) what() string {
	words, known := products[l.Product]
	if !known {
		word := strings.ReplaceAll(l.Product, "_", " ")
		words = [2]string{"of the product " + word, "of the product " + word}
	}
	if l.Quantity == 1 {
		return "1 " + words[0]
	}
	return email.Thousands(int(l.Quantity)) + " " + words[1]
}
