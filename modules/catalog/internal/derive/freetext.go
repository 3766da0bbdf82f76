package derive

import (
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// described are words of descriptions of funds, besides words of firms and places.
var described = text.SetOf(`private fund funds vehicle vehicles pooled pool collective separate separately account accounts single one investor investors client clients dedicated custom customized
	feeder master parallel sidecar co invest coinvest coinvestment primary secondary secondaries direct indirect underlying blind aggregator holding spv special purpose acquisition entity
	collateralized collateralised obligation obligations securitized securitization structured royalty royalties litigation timber timberland farmland farm agriculture agricultural land
	commodity commodities futures future currency currencies crypto cryptocurrency bitcoin blockchain token tokens asset based backed art film music aircraft aviation shipping leasing lease
	leases equipment trade receivables consumer small medium business businesses sbic employee employees deferred compensation profit sharing family office office mezzanine distressed
	opportunistic value added core plus open closed ended end interval tender offer ucits aif qualified zone zones eb5 eb visa charitable endowment foundation volatility arbitrage options
	option derivative derivatives swap swaps reinsurance catastrophe cat linked ils settlements settlement mineral minerals rights combination hybrid only biased neutral bond bonds equities
	stock stocks listed unlisted public registered unregistered regulated exempt none other not applicable similar similarly type types various mixed mix blend blended diversified diversification
	limited partnership tax credits low high yield housing affordable carbon climate social impact mission related microfinance emerging frontier developed domestic foreign offshore onshore
	buyout lower early late stage seed angel startup startups turnaround mergers merger event driven macro relative return absolute absolute-return target date index passive active allocation
	allocations manager managers advised sub subadvised managed pre post ipo pipe pipes dividend regulatory capital relief synthetic senior junior subordinated unsecured floating rate bridge
	invests investing invested which that is are to this its into has have than or other not no through more less generally primarily mainly solely including such these those assets instruments products
	product securities strategies strategy objective interests interest participation participations claims bankruptcy company companies portfolio vineyard vineyards water sports media gaming
	hospitality hotel hotels student medical office multifamily multi family self storage data center centers parking project projects power utility utilities wind solar transition`)

// ShownText returns a filed description or the name of a place as it may be shown where persons must not be named. Null: it may name a person. That
// is so if it has two words that are neither of firms, funds or places, or one of them and a given name or an initial.
func ShownText(s *string) *string {
	filed := catalogapi.TextOf(s)
	own, letters := 0, 0
	for _, word := range text.Words(spread(filed)) {
		switch {
		case titles[word] || given[word] || !described[word] && ownWord(word):
			own++
		case len(word) == 1 && word > "a":
			letters++
		}
	}
	if own > 1 || own > 0 && letters > 0 || !plain(strings.Map(writtenSign, filed), "&,.-'()/+%:;\"") {
		return nil
	}
	return s
}

// writtenSign replaces the signs of printed text by those of a keyboard.
func writtenSign(r rune) rune {
	switch r {
	case '‘', '’':
		return '\''
	case '“', '”':
		return '"'
	case '–', '—':
		return '-'
	}
	return r
}
