package derive

import (
	"net/url"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"gpatlas/modules/catalog/internal/text"
)

// socialHosts publish other people's pages: an address there is not the firm's own site. Sub-domains count too.
var socialHosts = text.SetOf(`linkedin.com lnkd.in facebook.com fb.com fb.me twitter.com x.com t.co instagram.com threads.net
	youtube.com youtu.be vimeo.com tiktok.com pinterest.com snapchat.com medium.com substack.com crunchbase.com
	angel.co angellist.com wellfound.com wechat.com weixin.qq.com weibo.com whatsapp.com wa.me telegram.org t.me
	discord.com discord.gg reddit.com tumblr.com flickr.com quora.com bsky.app mastodon.social truthsocial.com
	yelp.com glassdoor.com indeed.com xing.com nextdoor.com soundcloud.com spotify.com podcasts.apple.com apple.com
	open.spotify.com stocktwits.com seekingalpha.com linktr.ee bit.ly google.com goo.gl g.page bing.com
	eventbrite.com meetup.com clubhouse.com patreon.com rumble.com twitch.tv sec.gov adviserinfo.sec.gov finra.org
	brokercheck.org wikipedia.org bloomberg.com pitchbook.com
	calendly.com acuityscheduling.com oncehub.com scheduleonce.com youcanbook.me cal.com savvycal.com
	linktree.com linkin.bio lnk.bio beacons.ai bio.link campsite.bio taplink.cc flow.page bio.site solo.to koji.to
	podbean.com buzzsprout.com anchor.fm libsyn.com iheart.com stitcher.com spreaker.com simplecast.com transistor.fm
	captivate.fm blubrry.com castbox.fm pandora.com deezer.com tunein.com overcast.fm audible.com music.amazon.com
	zoominfo.com apolloio.com alignable.com bbb.org trustpilot.com angieslist.com thumbtack.com feeds.feedburner.com
	slack.com line.me viber.com vk.com douyin.com xiaohongshu.com kakao.com parler.com gab.com gettr.com mewe.com
	myspace.com plus.google.com foursquare.com slideshare.net scribd.com issuu.com dailymotion.com brighttalk.com
	bitly.com tinyurl.com ow.ly buff.ly
	about.me wealthtender.com feeonlynetwork.com napfa.org xyplanningnetwork.com garrettplanningnetwork.com letsmakeaplan.org plannersearch.org
	smartasset.com wealthramp.com guidevine.com paladinregistry.com zoefin.com indyfin.com listennotes.com
	github.com instragram.com linkedin.company com.company youtube edgepilot.com alpha-maven.com podcasters.amazon.com apple.co spoti.fi g.co forbes.com muckrack.com warpcast.com zoom.us coda.io wikitia.com lindedin.com llinkedin.com linked.com`)

// builderHosts are shared by many firms' own sites: such an address is a website, but its domain says nothing of who
// belongs together.
var builderHosts = text.SetOf(`sites.google.com wixsite.com wix.com weebly.com wordpress.com blogspot.com squarespace.com
	godaddysites.com webflow.io github.io gitlab.io netlify.app vercel.app pages.dev web.app firebaseapp.com
	herokuapp.com azurewebsites.net amazonaws.com cloudfront.net myshopify.com strikingly.com carrd.co notion.site
	notion.so jimdosite.com jimdo.com mystrikingly.com yolasite.com site123.me hubspotpagebuilder.com business.site
	sharepoint.com onmicrosoft.com ghost.io beehiiv.com wpengine.com wpenginepowered.com wixstudio.com webnode.page framer.website framer.app
	typepad.com livejournal.com onrender.com tilda.ws myfreesites.net mykajabi.com kajabi.com mailchimpsites.com durable.co super.site editorx.io
	fmgsuite.com jimdofree.com webnode.com advisorwebsites.com zyrosite.com glitch.me surge.sh softr.app ueniweb.com typeform.com setmore.com simplybook.me
	thinkific.com teachable.com mybigcommerce.com myportfolio.com wistia.com`)

// Website turns a filed address into a URL with scheme, and reports whether it is a firm's own site: false for text that is no
// address, for a host that cannot exist, and for social, network and search pages. If one answer has several URLs, the first one
// that is the firm's own counts. Scheme and host become lower case; path and query stay as filed, because servers may distinguish
// letter cases.
//
// Spec: not shown; an address filed without a scheme becomes https.
func Website(filed string) (string, bool) {
	if site, own := oneWebsite(filed); own {
		return site, true
	}
	for part := range strings.FieldsFuncSeq(filed, func(r rune) bool { return strings.ContainsRune(" \t\r\n;,|", r) }) {
		lower := strings.ToLower(part)
		if !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") && !strings.HasPrefix(lower, "www.") {
			continue
		}
		if site, own := oneWebsite(part); own {
			return site, true
		}
	}
	return "", false
}

// oneWebsite reads one address.
func oneWebsite(filed string) (string, bool) {
	u := address(filed)
	if u == nil || social(u.Hostname()) {
		return "", false
	}
	return u.String(), true
}

// social reports whether a host publishes other people's pages.
func social(host string) bool { return under(host, socialHosts) && !under(host, builderHosts) }

// address reads one address of any kind; nil where there is none.
func address(filed string) *url.URL {
	raw := firstWord(filed)
	if raw == "" || len(raw) > 500 || strings.ContainsAny(raw, " \t\r\n\"<>") {
		return nil
	}
	scheme, rest, found := strings.Cut(raw, "://")
	if !found {
		scheme, rest = "https", strings.TrimLeft(raw, "/")
	}
	scheme = strings.ToLower(scheme)
	if scheme != "http" && scheme != "https" {
		return nil
	}
	u, err := url.Parse(scheme + "://" + rest)
	if err != nil || u.User != nil || !validHost(u.Hostname()) {
		return nil
	}
	name, err := idna.Lookup.ToASCII(strings.TrimSuffix(u.Hostname(), "."))
	if err != nil {
		return nil
	}
	if port := u.Port(); port != "" {
		name += ":" + port
	}
	u.Host = name
	if u.Path == "/" && u.RawQuery == "" {
		u.Path = ""
	}
	u.Fragment = ""
	if !publicHost(u.Hostname()) {
		return nil
	}
	return u
}

// firstWord returns the address that stands before words, as in "www.example.com (main site)". If the first word has no
// dot, or two words may be one address with a blank in it, it returns the whole text.
func firstWord(filed string) string {
	raw := strings.TrimSpace(filed)
	at := strings.IndexAny(raw, " \t\r\n")
	if at < 0 {
		return raw
	}
	word, rest := strings.TrimRight(raw[:at], ",;"), strings.TrimSpace(raw[at:])
	_, host, schemed := strings.Cut(strings.ToLower(word), "://")
	host, _, _ = strings.Cut(host, "/")
	if !schemed {
		host, _, _ = strings.Cut(strings.ToLower(word), "/")
	}
	known := strings.HasPrefix(host, "www.") || schemed || len(word) < at || strings.ContainsAny(rest[:1], "([-;,&|/")
	if !known || strings.Count(host, ".") == 0 {
		return raw
	}
	if !publicHost(host) {
		return raw
	}
	return word
}

// publicHost reports whether a host ends in a public suffix that exists: twitter.comalder and www.linkedin (of
// www.linkedin/company) do not. The list names private suffixes (github.io) too; what it does not know has one label.
// The sample's firms are in .example, which is reserved for that.
func publicHost(host string) bool {
	suffix, icann := publicsuffix.PublicSuffix(host)
	return (icann || strings.Contains(suffix, ".") || suffix == "example") && (suffix != host || !icann)
}

// WebsiteDomain returns the registrable domain of a website ("alder.co.uk" of https://www.alder.co.uk/team), or nothing
// where the host is shared by unrelated firms.
func WebsiteDomain(website string) string {
	u, err := url.Parse(website)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if host == "" || under(host, builderHosts) || under(host, socialHosts) {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return domain
}

// under reports whether host is one of the hosts or a sub-domain of one.
func under(host string, hosts map[string]bool) bool {
	for host != "" {
		if hosts[host] {
			return true
		}
		_, rest, _ := strings.Cut(host, ".")
		host = rest
	}
	return false
}

// validHost asks for two labels of letters, digits and hyphens, the last one no number: "N/A" and e-mail addresses are
// no hosts, nor are bare IP addresses a firm's site.
func validHost(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(labels) < 2 {
		return false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 {
			return false
		}
		for _, r := range label {
			letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
			if !letter && (r < '0' || r > '9') && r != '-' && r != '_' {
				return false
			}
		}
	}
	last := labels[len(labels)-1]
	return len(last) >= 2 && strings.Trim(last, "0123456789") != ""
}
