package delivery_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/delivery"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/marketintel"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/modules/notifications/internal/testkit/deliverytest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
	"gpatlas/templates/email"
)

// bench is a delivery through an SMTP server.
type bench struct {
	*deliverytest.Bench

	server *mailtest.Server
}

func setup(t *testing.T, options mailtest.Options) *bench {
	t.Helper()
	server := mailtest.NewServer(t, options)
	sender, err := mail.New(server.Config(), clock.System{})
	require.NoError(t, err)
	return &bench{deliverytest.New(t, dbtest.New(t), sender), server}
}

// messageIDs counts the mails that the server has taken, by Message-ID.
func (b *bench) messageIDs(t *testing.T) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, m := range b.server.Messages() {
		counts[mailtest.Parse(t, m.Data).Header.Get("Message-Id")]++
	}
	return counts
}

// Over TLS: the mail has its own words, its links out of the list, and the Message-ID of its key. Nothing is sent twice.
func TestDeliver(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{StartTLS: true, User: "gpatlas", Password: "s3cret/pass"})
	b.Add(t, 7, "test:7")
	require.Equal(t, delivery.Processed{Sent: 1}, b.Process(t))
	require.Equal(t, delivery.Processed{}, b.Process(t))
	got := b.server.Wait(t, 1)
	require.Len(t, got, 1)
	require.True(t, got[0].Encrypted)
	m := mailtest.Parse(t, got[0].Data)
	require.Equal(t, `"Person 7 Larkspur" <person7@larkspur.example>`, m.To.String())
	require.Equal(t, "Your GP Atlas emails work", m.Subject)
	require.Equal(t, "<"+mail.MessageID("test:7")+"@atlas.example>", m.Header.Get("Message-Id"))
	require.Equal(t, "product", m.Header.Get("X-Gpa-Category"))
	require.Equal(t, "List-Unsubscribe=One-Click", m.Header.Get("List-Unsubscribe-Post"))
	link := strings.Trim(m.Header.Get("List-Unsubscribe"), "<>")
	require.True(t, strings.HasPrefix(link, "https://atlas.example/v1/unsubscribe/"), link)
	require.Contains(t, m.Text, link)
	row := b.Rows(t)["test:7"]
	require.Equal(t, []any{queue.Sent, "", 1}, []any{row.State, row.Reason, row.Attempts})
}

// What changed between the queue and the delivery counts.
func TestAskedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	refuse := func(id int64, category string) { require.NoError(t, b.Preferences.Refuse(t.Context(), id, category)) }
	change := func(id int64, change func(a *accountsapi.Account)) {
		a := deliverytest.Account(id)
		change(&a)
		b.Accounts.Put(a)
	}
	b.Kinds["odd"] = kind.Kind{ID: "odd", Category: kind.Product, Enabled: true, MaxPerDay: 5}
	b.Kinds["panics"] = kind.Kind{ID: "panics", Category: kind.Product, Enabled: true}
	b.Kinds["unwritten"] = kind.Kind{ID: "unwritten", Category: kind.Product, Enabled: true}
	b.Kinds["off"] = kind.Kind{ID: "off", Category: kind.Product, Enabled: true}
	b.Kinds["lost"] = kind.Kind{ID: "lost", Category: kind.Product, Enabled: true}
	b.Kinds["safety"] = kind.Kind{ID: "safety", Category: kind.Account, Enabled: true}
	b.Parts.Renderers["odd"], b.Parts.Renderers["off"], b.Parts.Renderers["safety"] = deliverytest.Plain, deliverytest.Plain, deliverytest.Plain
	b.Parts.Renderers["panics"] = func(context.Context, accountsapi.Account, json.RawMessage, render.Links) (email.Content, bool, error) {
		panic("a template of ours")
	}
	cases := []struct {
		key, kind string
		prepare   func(id int64)
		want      string
	}{
		{"as usual", kind.TrialEnding, func(int64) {}, "sent"},
		{"deleted", kind.TrialEnding, b.Accounts.Remove, "suppressed no_account"},
		{"subscribed meanwhile", kind.TrialEnding, func(id int64) { change(id, func(a *accountsapi.Account) { a.TrialEndsAt = time.Time{} }) }, "suppressed overtaken"},
		{"subscribed after the end", kind.TrialEnded, func(int64) {}, "suppressed overtaken"},
		{"lowered", kind.TrialEnded, func(id int64) { change(id, func(a *accountsapi.Account) { a.SubscriptionPlan = "free" }) }, "sent"},
		{"refused", kind.Test, func(id int64) { refuse(id, kind.Product) }, "suppressed refused"},
		{"refused all", kind.Digest, func(id int64) { refuse(id, "all") }, "suppressed refused"},
		{"refused another", kind.Digest, func(id int64) { refuse(id, kind.Product) }, "sent"},
		{"refused all, of the account", "safety", func(id int64) { refuse(id, "all") }, "sent"},
		{"unverified", kind.Digest, func(id int64) { change(id, func(a *accountsapi.Account) { a.EmailVerified = false }) }, "suppressed not_verified"},
		{"refused all, a trial", kind.TrialEnding, func(id int64) { refuse(id, "all") }, "sent"},
		{"unverified, a trial", kind.TrialEnding, func(id int64) { change(id, func(a *accountsapi.Account) { a.EmailVerified = false }) }, "sent"},
		{"switched off", "off", func(int64) { b.Kinds["off"] = kind.Kind{ID: "off", Category: kind.Product} }, "suppressed disabled"},
		{"removed", "lost", func(int64) { b.Kinds["lost"] = kind.Kind{} }, "suppressed unknown_kind"},
		{"without words", "unwritten", func(int64) {}, "failed not_renderable"},
		{"a panic", "panics", func(int64) {}, "queued fault"},
		{"bounced", kind.Digest, func(id int64) {
			for mailID := range int64(2) {
				require.NoError(t, b.Bounces.Bounced(t.Context(), deliverytest.Account(id).Email, 1000+mailID))
			}
		}, "suppressed bounced"},
		{"bounced once", kind.Digest, func(id int64) {
			for range 3 { // of one mail
				require.NoError(t, b.Bounces.Bounced(t.Context(), strings.ToUpper(deliverytest.Account(id).Email), 1000))
			}
		}, "sent"},
	}
	for i, c := range cases {
		b.AddKind(t, c.kind, int64(i+1), c.key)
	}
	for i, c := range cases {
		c.prepare(int64(i + 1))
	}
	b.Process(t)
	rows, sent := b.Rows(t), 0
	for _, c := range cases {
		require.Equal(t, c.want, strings.TrimSpace(rows[c.key].State+" "+rows[c.key].Reason), c.key)
		if c.want == "sent" {
			sent++
		}
	}
	require.Len(t, b.server.Wait(t, sent), sent)
}

// The registry's daily maximum holds for each account and kind, and for a day.
func TestDailyMaximum(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	for i := range 7 {
		b.Add(t, 1, "trial_ending:1:"+strconv.Itoa(i))
	}
	b.Add(t, 2, "trial_ending:2")
	b.AddKind(t, kind.Digest, 1, "digest:1:a")
	b.AddKind(t, kind.Digest, 1, "digest:1:b")
	require.Equal(t, delivery.Processed{Sent: 7, Suppressed: 3}, b.Process(t))
	for key, row := range b.Rows(t) {
		if row.State == queue.Suppressed {
			require.Equal(t, queue.DailyLimit, row.Reason, key)
		}
	}
	b.Clock.Move(24 * time.Hour)
	b.AddKind(t, kind.Digest, 1, "digest:1:c")
	require.Equal(t, delivery.Processed{Sent: 1}, b.Process(t))
}

// 451, then 250: the mail waits longer after each try, and takes no second place among those of its day. It is given up in the end.
func TestTriedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{StartTLS: true})
	b.AddKind(t, kind.Digest, 1, "digest:1")
	b.server.Refuse(mailtest.AtRecipient, 451, "<person1@larkspur.example> is busy")
	for attempt, wait := range []time.Duration{5, 10, 20} {
		require.Equal(t, delivery.Processed{PutBack: 1}, b.Process(t))
		row := b.Rows(t)["digest:1"]
		require.Equal(t, []any{queue.Queued, attempt + 1, b.Clock.Now().Add(wait * time.Minute)}, []any{row.State, row.Attempts, row.NotBefore.UTC()})
		require.Contains(t, row.Reason, "451")
		require.NotContains(t, row.Reason, "person1")
		b.Clock.Move(wait*time.Minute - time.Second)
		require.Equal(t, delivery.Processed{}, b.Process(t))
		b.Clock.Move(time.Second)
	}
	b.server.Refuse(mailtest.AtRecipient, 0, "")
	require.Equal(t, delivery.Processed{Sent: 1}, b.Process(t))

	b.server.Refuse(mailtest.AtContent, 451, "not today")
	b.Add(t, 1, "trial_ending:1")
	for range 7 {
		require.Equal(t, delivery.Processed{PutBack: 1}, b.Process(t))
		b.Clock.Move(6 * time.Hour)
	}
	require.Equal(t, delivery.Processed{Failed: 1}, b.Process(t))
	b.Clock.Move(24 * time.Hour)
	require.Equal(t, delivery.Processed{}, b.Process(t))
	require.Equal(t, map[string]int{queue.Sent: 1, queue.Failed: 1}, b.States(t))
}

// A connection that breaks in the middle of a mail, and a server that does not answer: the same mail is sent again.
func TestBrokenConversation(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{StartTLS: true})
	b.Add(t, 1, "trial_ending:1")
	b.server.DropContent(true)
	require.Equal(t, delivery.Processed{PutBack: 1}, b.Process(t))
	require.Empty(t, b.server.Messages())
	b.server.DropContent(false)
	b.Clock.Move(5 * time.Minute)

	waiting := b.server.Hang(mailtest.AtContent)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-waiting
		cancel() // the worker is stopped
	}()
	_, err := b.Delivery.Process(ctx)
	require.ErrorIs(t, err, context.Canceled)
	row := b.Rows(t)["trial_ending:1"]
	require.Equal(t, []any{queue.Queued, 1}, []any{row.State, row.Attempts}, "it is put back, and the try does not count")
	b.server.Hang("")
	require.Equal(t, delivery.Processed{Sent: 1}, b.Process(t))
	require.Contains(t, b.messageIDs(t), "<"+mail.MessageID("trial_ending:1")+"@atlas.example>")
	require.Len(t, b.messageIDs(t), 1)
}

// A 5xx at the recipient gives the mail up. After two of them the address gets only what cannot be refused.
func TestBounces(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	b.Kinds["safety"] = kind.Kind{ID: "safety", Category: kind.Account, Enabled: true}
	b.Parts.Renderers["safety"] = deliverytest.Plain
	b.server.Refuse(mailtest.AtRecipient, 550, "no such user")
	b.Add(t, 1, "first")
	require.Equal(t, delivery.Processed{Failed: 1}, b.Process(t))
	b.Add(t, 1, "second")
	require.Equal(t, delivery.Processed{Failed: 1}, b.Process(t))
	b.server.Refuse(mailtest.AtRecipient, 0, "")
	b.Add(t, 1, "third")
	b.AddKind(t, "safety", 1, "of the account")
	b.Add(t, 2, "another address")
	require.Equal(t, delivery.Processed{Sent: 2, Suppressed: 1}, b.Process(t))
	rows := b.Rows(t)
	require.Equal(t, queue.Bounced, rows["third"].Reason)
	require.NoError(t, b.Delivery.Test(t.Context(), 1, kind.Test))
	b.Add(t, 1, "after a test that arrived")
	require.Equal(t, delivery.Processed{Sent: 1}, b.Process(t))
	for mailID := range int64(2) {
		require.NoError(t, b.Bounces.Bounced(t.Context(), deliverytest.Account(1).Email, 1000+mailID))
	}
	require.Contains(t, rows["first"].Reason, "550")

	var hashes []string
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT encode(address_hash, 'escape') FROM notifications.bounces").Scan(&hashes).Error)
	require.Len(t, hashes, 1)
	require.NotContains(t, hashes[0], "larkspur")
	b.Clock.Move(366 * 24 * time.Hour)
	b.Add(t, 1, "a year later")
	require.Equal(t, delivery.Processed{Sent: 1}, b.Process(t))

	b.server.Refuse(mailtest.AtContent, 554, "looks like spam")
	b.Add(t, 3, "spam")
	require.Equal(t, delivery.Processed{Failed: 1}, b.Process(t))
	suppressed, err := b.Bounces.Suppressed(t.Context(), deliverytest.Account(3).Email)
	require.NoError(t, err)
	require.False(t, suppressed, "that says nothing about the address")
}

// While the mail server is unavailable, a run ends soon, and no mail is given up.
func TestServerAway(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	for i := range 60 {
		b.Add(t, int64(i+1), strconv.Itoa(i))
	}
	b.server.Refuse(mailtest.AtHello, 554, "no service for this network")
	for range 3 {
		_, err := b.Delivery.Process(t.Context())
		require.ErrorContains(t, err, "the mail server is away")
		b.Clock.Move(10 * time.Minute)
	}
	for key, row := range b.Rows(t) {
		require.Equal(t, []any{queue.Queued, 0}, []any{row.State, row.Attempts}, key)
	}
	b.server.Refuse(mailtest.AtHello, 0, "")
	require.Equal(t, delivery.Processed{Sent: 60}, b.Process(t))

	b.Add(t, 1, "the database is away")
	b.Accounts.Fail(apperr.Unavailable("away"))
	_, err := b.Delivery.Process(t.Context())
	require.Error(t, err)
	b.Accounts.Fail(nil)
	require.Equal(t, delivery.Processed{Sent: 1}, b.Process(t))
}

// N7: every kind that can be refused has both unsubscribe headers; kinds about the account have none. N8: names are text.
func TestHeaders(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	want := map[string]bool{}
	for _, k := range kind.BuiltIn() {
		want[k.ID] = kind.Refusable(k.Category)
	}
	for _, category := range kind.Categories() {
		id := "made_" + category
		b.Kinds[id], want[id] = kind.Kind{ID: id, Category: category, Enabled: true}, category != kind.Account
	}
	const hostile = "Ada\r\nBcc: <x@evil.example>\r\n\r\n<script>alert(1)</script>\u2028=?utf-8?q?x?="
	user, users := int64(0), map[string]string{}
	for id := range want {
		user++
		a := deliverytest.Account(user)
		a.FullName, a.SubscriptionPlan, users[a.Email] = hostile, "free", id
		b.Accounts.Put(a)
		if b.Parts.Renderers[id] == nil {
			b.Parts.Renderers[id] = b.Parts.Renderers[kind.Test]
		}
		b.AddKind(t, id, user, id)
	}
	b.Process(t)
	got := b.server.Wait(t, len(want))
	require.Len(t, got, len(want))
	for _, raw := range got {
		m := mailtest.Parse(t, raw.Data)
		id := users[m.To.Address]
		require.Equal(t, want[id], m.Header.Get("List-Unsubscribe") != "", id)
		require.Equal(t, want[id], m.Header.Get("List-Unsubscribe-Post") != "", id)
		require.Equal(t, want[id], strings.Contains(m.Text, "/v1/unsubscribe/"), id)
		require.Empty(t, m.Header.Get("Bcc"), id)
		require.Equal(t, m.To.Address, raw.To)
		require.NotContains(t, m.HTML, "<script", id)
		require.NotContains(t, m.Subject+m.To.Name, "\n", id)
	}
}

// The operation starts a run of its own, at most one a minute, beside the schedule's.
func TestStart(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	host := httpapitest.New(t, delivery.Routes(b.Delivery)...)
	const path = "/v1/admin/jobs/process-queue"
	for _, s := range []httpapitest.Scenario{
		{Status: 401}, {As: &auth.Principal{Kind: auth.Session, UserID: 1}, Status: 403}, {As: &auth.Principal{Kind: auth.Key, UserID: 1}, Status: 403},
	} {
		s.Method, s.Path = http.MethodPost, path
		host.Do(t, s)
	}
	call := func(kind auth.Kind) string {
		got := host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: &auth.Principal{Kind: kind, UserID: 1, Admin: true}, Status: 202})
		var body struct{ Data map[string]any }
		require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
		return fmt.Sprint(body.Data["status"], " ", body.Data["bucket"])
	}
	schedule := b.Service().Part().Schedules[0]
	bucket := schedule.Bucket(b.Clock.Now())
	_, first, err := jobs.NewEnqueuer(b.DB).EnqueueOnce(t.Context(), jobs.Job{Type: schedule.Type, TaskID: jobs.Key(schedule.Type, bucket)})
	require.NoError(t, err)
	require.True(t, first)
	require.Equal(t, "accepted manual:2026-11-22T12:00", call(auth.Session), "the schedule's run of this hour does not swallow it")
	require.Equal(t, "already_started manual:2026-11-22T12:00", call(auth.Key))
	b.Clock.Move(time.Minute)
	require.Equal(t, "accepted manual:2026-11-22T12:01", call(auth.Key))
	require.Len(t, jobstest.Waiting(t, b.DB), 3)

	b.Add(t, 1, "trial_ending:1")
	jobstest.Deliver(t, b.DB, delivery.Handlers(b.Delivery)...)
	require.Len(t, b.server.Wait(t, 1), 1, "three runs, one mail")
}

// Other modules ask through the outbox; twice is once, also at the same time.
func TestTake(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	handler := b.Queue.Part().Jobs[0]
	require.Equal(t, mail.NotifyJob, handler.Type)
	in := jobs.NewEnqueuer(b.DB)
	n := mail.Notification{Kind: kind.TrialEnding, UserID: 7, Key: "trial_ending:7", Data: map[string]any{"at": deliverytest.Ends}}
	require.NoError(t, mail.Notify(t.Context(), in, n))
	payload := jobstest.Waiting(t, b.DB)[0].Payload
	errs := make(chan error)
	for range 8 {
		go func() { errs <- handler.Run(t.Context(), []byte(payload)) }()
	}
	for range 8 {
		require.NoError(t, <-errs)
	}
	require.Len(t, b.Rows(t), 1)
	require.Equal(t, delivery.Processed{Sent: 1}, b.Process(t))
	require.NoError(t, handler.Run(t.Context(), []byte(payload)))
	require.Equal(t, delivery.Processed{}, b.Process(t))
	require.Contains(t, mailtest.Parse(t, b.server.Wait(t, 1)[0].Data).Text, "24 November 2026")

	for _, bad := range []mail.Notification{{UserID: 7, Key: "x"}, {Kind: "x", Key: "x"}, {Kind: "x", UserID: 7}} {
		require.Error(t, mail.Notify(t.Context(), in, bad))
	}
	require.True(t, jobstest.Never(handler.Run(t.Context(), []byte(`{"kind":"party","user_id":7,"key":"party:7"}`))))
	require.True(t, jobstest.Never(handler.Run(t.Context(), []byte("x"))))
	failed := errors.New("undone")
	require.ErrorIs(t, b.DB.InTx(t.Context(), func(ctx context.Context) error {
		n.Key = "undone"
		require.NoError(t, mail.Notify(ctx, in, n))
		return failed
	}), failed)
	require.Len(t, jobstest.Waiting(t, b.DB), 1)
}

// Test mails are sent at once, regardless of preferences; five a day.
func TestTestMail(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	require.NoError(t, b.Preferences.Refuse(t.Context(), 1, "all"))
	host := httpapitest.New(t, delivery.Routes(b.Delivery)...)
	call := func(userID int64, status int) httpapitest.Response {
		return host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/me/notifications/test", As: &auth.Principal{Kind: auth.Session, UserID: userID}, Status: status})
	}
	for range 5 {
		call(1, 200)
	}
	require.Equal(t, "43200", call(1, 429).Header.Get("Retry-After"))
	require.Len(t, b.messageIDs(t), 5)
	require.Contains(t, mailtest.Parse(t, b.server.Messages()[0].Data).Text, "/v1/unsubscribe/")
	require.Empty(t, b.Rows(t), "not through the queue")
	b.Clock.Move(12 * time.Hour)
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/me/notifications/test?kind=nothing_such", As: &auth.Principal{Kind: auth.Session, UserID: 6}, Status: 400})
	for i, id := range []string{kind.TrialEnding, kind.TrialEnded, kind.Market} {
		b.Parts.Samples[kind.Market] = marketintel.Samples()[kind.Market]
		b.Parts.Renderers[kind.Market] = marketintel.Renderers()[kind.Market]
		host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/me/notifications/test?kind=" + id, As: &auth.Principal{Kind: auth.Session, UserID: 6}})
		m := mailtest.Parse(t, b.server.Messages()[5+i].Data)
		require.Equal(t, []string{
			"[Test] Your GP Atlas trial ends on 26 November 2026", "[Test] Your GP Atlas trial has ended", "[Test] Private funds: week of 16 November 2026",
		}[i], m.Subject)
		require.Equal(t, id == kind.Market, m.Header.Get("List-Unsubscribe") != "", "as of the real email")
	}
	call(1, 200)

	unverified := deliverytest.Account(2)
	unverified.EmailVerified = false
	b.Accounts.Put(unverified)
	call(2, 409)
	b.server.Refuse(mailtest.AtRecipient, 550, "no such user")
	call(4, 409)
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/me/notifications/test", Status: 401})
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/me/notifications/test", As: &auth.Principal{Kind: auth.Key, UserID: 1}, Status: 403})
	require.Len(t, b.messageIDs(t), 9)
}

// What is kept about a person is exported, and goes with the account.
func TestPersonal(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	b.Add(t, 1, "trial_ending:1")
	b.Add(t, 2, "trial_ending:2")
	b.Process(t)
	require.NoError(t, b.Preferences.Refuse(t.Context(), 1, kind.Product))
	for id, want := range map[int64]string{1: `"data":{"at":"2026-11-24T09:30:00.000000Z"}`, 3: "[]"} {
		list, err := b.Queue.ExportFor(t.Context(), id)
		require.NoError(t, err)
		text, err := json.Marshal(list)
		require.NoError(t, err)
		require.Contains(t, string(text), want)
	}
	require.Len(t, b.Rows(t), 2)
	for range 2 {
		require.NoError(t, b.Queue.AccountPurged(t.Context(), 1))
		require.NoError(t, b.Preferences.Part().Purged[0](t.Context(), 1))
	}
	for _, table := range []string{"queue", "daily", "preferences"} {
		var n int
		require.NoError(t, b.DB.Pool().QueryRow(t.Context(), "SELECT count(*) FROM notifications."+table+" WHERE user_id = 1").Scan(&n))
		require.Zero(t, n, table)
	}
	b.Clock.Move(401 * 24 * time.Hour)
	b.Add(t, 3, "waits")
	removed, err := b.Queue.Sweep(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
	require.Equal(t, map[string]int{queue.Queued: 1}, b.States(t))
}
