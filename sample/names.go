package sample

import "strings"

// The names of people are composed of invented syllables; a real one comes about by accident at most.
var (
	lastHeads = strings.Fields(`ABREN ALDO BARVE BELTRA BRISK CALDER CANTRI CORVI DALMO DENTRA DOVER ELVAN ENDRI FALKO FENDRA
		GALTRI GRENVO HADRI HOLVER INDRA ISKEL JARVO JESTRI KALVO KENDRI LANDRI LORVA MALTRO MENDRI NARVO NESTRA OLVER ORTRI
		PALDRI PENVO QUARRI RALVO RENTRI SALDRO SELTRA TAMBRI TORVE ULDRI URVEN VALTRO VENDRI WALDRE WINTRO YALDRI ZENTRO
		BÉRVAL GÖRVEN LÜNDRI ÅSTRAV ÑALDRO`)
	lastTails = strings.Fields(`BACK BELL BORN BRAND BY CASTLE COTE DAHL DEN DINE FELDT FIELD FORD GAARD GREN HAM HART HURST
		ING KAMP KIN LAND LEY LING LOW MAN MARK MERE MONT NELL NER OVA QUIST RICK ROSE SEN SHAW SKI SON STAD STEIN STRAND
		TERRE TON VANE VIC WALL WORTH YARD ZANI`)
	firstHeads = strings.Fields(`AL AN AR BEL BREN CAL CAR COR DAN DEL EL EM ER FAL FEN GAR GIL HAL HEL IN IS JAR JOS KAR KEL
		LAN LIN LOR MAR MEL MIR NAD NEL OR OS PAL PER QUIN RAN ROS SAL SEL TAL THE TOR UL VAL VEN WIL YOL`)
	firstTails = strings.Fields(`A ABEL ADRE AMON AND ARA ARD AVER DIS DRA DRIC EBAN EDA ELLE EMAR ENNE ERIC ESTER ETTA IAN
		IDA IEL IMAR INA IRO ISSE IVAR OLD OMIR ONDE OREN ORIA OSKE OVAN ULA ULF URA YNE`)
)

// person is one individual, the same in every firm and notice.
type person struct {
	last, first, middle string
	id                  int    // IAPD number; 0 = none is known
	key                 uint64 // of what else is the person's own
}

// inverted is the name as Schedules A and B write it.
func (p person) inverted() string {
	if p.middle == "" {
		return p.last + ", " + p.first
	}
	return p.last + ", " + p.first + ", " + p.middle
}

// wordOf picks a word by the key's n-th own draw.
func wordOf(words []string, key, n uint64) string {
	return words[noise(key, n, 0, int64(len(words))-1)]
}

// personAt is who an adviser's slot belongs to, if nobody is called in from elsewhere.
func (p *plan) personAt(index, slot int) person {
	key := mix(mix(p.seed, forPeople), uint64(index)<<8|uint64(slot)) // #nosec G115 -- an index and a small number
	who := person{
		last:  wordOf(lastHeads, key, 1) + wordOf(lastTails, key, 2),
		first: wordOf(firstHeads, key, 3) + wordOf(firstTails, key, 4),
		key:   key,
	}
	switch noise(key, 5, 0, 9) {
	case 0, 1, 2, 3:
		who.middle = wordOf(firstHeads, key, 6) + wordOf(firstTails, key, 7)
	case 4, 5, 6:
		who.middle = wordOf(firstHeads, key, 6)[:1]
	}
	if slot < p.scale.personIDs && noise(key, 8, 0, 99) >= 22 {
		who.id = p.personID(index, slot)
	}
	return who
}

// personID is a number of seven digits above those given out to people so far.
func (p *plan) personID(index, slot int) int {
	n := uint64(index*p.scale.personIDs + slot) // #nosec G115 -- both are small
	if p.scale.advisers*p.scale.personIDs <= 960_000 {
		return 9_000_000 + int(spread(n, 960_000, 104_729)) // #nosec G115 -- below ten million
	}
	return 8_400_000 + int(spread(n, 1_600_000, 104_729)) // #nosec G115 -- below ten million
}

// titled writes a name in capitals with small letters: what Form D and the feed do.
func titled(s string) string {
	var b strings.Builder
	inside := false
	for _, r := range s {
		letter := r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0xc0
		if letter && inside {
			b.WriteString(strings.ToLower(string(r)))
		} else {
			b.WriteString(strings.ToUpper(string(r)))
		}
		inside = letter
	}
	return b.String()
}
