package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"gpatlas/platform/apperr"
)

// Params are the cost of one argon2id computation.
type Params struct {
	MemoryKiB uint32
	Passes    uint32
	Threads   uint8
}

// OWASP are the parameters that OWASP's password storage guide recommends: 19 MiB, two passes, one thread.
var OWASP = Params{MemoryKiB: 19 * 1024, Passes: 2, Threads: 1}

const (
	saltBytes = 16
	keyBytes  = 32
	// bytesMax bounds what is hashed. MaxLength characters are fewer bytes; this is for callers that did not check.
	bytesMax = 4 * MaxLength
	// queueLimit is how long a computation may wait for its turn.
	queueLimit = 10 * time.Second
)

var (
	errTooLong = errors.New("password: more bytes than are ever hashed")
	errForm    = errors.New("password: not an argon2id PHC string")
)

// Hasher computes and checks argon2id hashes, a limited number at once: each takes 19 MiB, and a flood of sign-ins must not
// exhaust the memory. It is safe for concurrent use.
type Hasher struct {
	params   Params
	decoy    string
	turns    chan struct{}
	computed atomic.Uint64
}

// NewHasher makes a Hasher that computes up to atOnce hashes at the same time; 0 is twice the processors.
func NewHasher(params Params, atOnce int) *Hasher {
	if atOnce <= 0 {
		atOnce = 2 * runtime.GOMAXPROCS(0)
	}
	h := &Hasher{params: params, turns: make(chan struct{}, atOnce)}
	h.decoy = h.encode(make([]byte, saltBytes), make([]byte, keyBytes)) // not a hash of a password, because computing one would delay every start
	return h
}

// Computed is how many hashes were computed since the start.
func (h *Hasher) Computed() uint64 { return h.computed.Load() }

// Hash returns a password's hash as a PHC string.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	key, err := h.compute(ctx, h.params, password, salt, keyBytes)
	if err != nil {
		return "", err
	}
	return h.encode(salt, key), nil
}

// Match is the result of Check.
type Match struct {
	OK bool
	// Outdated means that the hash was made with other parameters than today's: hash the password again while it is known.
	Outdated bool
}

// Check reports whether a password matches a hash. It computes exactly one hash, also without one to compare with: an empty
// hash, for an account that does not exist, never matches and takes as long.
func (h *Hasher) Check(ctx context.Context, hash, password string) (Match, error) {
	nobody := hash == ""
	if nobody {
		hash = h.decoy
	}
	params, salt, want, err := decode(hash)
	if err != nil {
		return Match{}, err
	}
	got, err := h.compute(ctx, params, password, salt, uint32(len(want)))
	if err != nil {
		return Match{}, err
	}
	same := subtle.ConstantTimeCompare(got, want) == 1 && !nobody
	return Match{OK: same, Outdated: same && (params != h.params || len(salt) != saltBytes || len(want) != keyBytes)}, nil
}

func (h *Hasher) compute(ctx context.Context, p Params, password string, salt []byte, length uint32) ([]byte, error) {
	if len(password) > bytesMax {
		return nil, errTooLong
	}
	waiting, cancel := context.WithTimeout(ctx, queueLimit)
	defer cancel()
	select {
	case h.turns <- struct{}{}:
	case <-waiting.Done():
		return nil, apperr.Unavailable("Too many sign-ins are in progress; try again").Wrap(waiting.Err())
	}
	defer func() { <-h.turns }()
	h.computed.Add(1)
	return p.key(password, salt, length), nil
}

// key is the computation. Passwords are normalized first, because keyboards encode the same letter in several ways.
func (p Params) key(password string, salt []byte, length uint32) []byte {
	return argon2.IDKey(norm.NFKC.Bytes([]byte(password)), salt, p.Passes, p.MemoryKiB, p.Threads, length)
}

func (h *Hasher) encode(salt, key []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.params.MemoryKiB, h.params.Passes, h.params.Threads,
		b64.EncodeToString(salt), b64.EncodeToString(key))
}

// decode reads a PHC string. Parameters that would cost too much are rejected: this service never writes them.
func decode(hash string) (p Params, salt, key []byte, err error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != "v="+strconv.Itoa(argon2.Version) {
		return p, nil, nil, errForm
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.MemoryKiB, &p.Passes, &p.Threads); err != nil {
		return p, nil, nil, errForm
	}
	b64 := base64.RawStdEncoding.Strict()
	salt, saltErr := b64.DecodeString(parts[4])
	key, keyErr := b64.DecodeString(parts[5])
	const memoryMax, passesMax = 256 * 1024, 16
	if saltErr != nil || keyErr != nil || len(salt) < 8 || len(key) < 16 || len(key) > 64 ||
		p.MemoryKiB == 0 || p.MemoryKiB > memoryMax || p.Passes == 0 || p.Passes > passesMax || p.Threads == 0 || p.Threads > 16 {
		return p, nil, nil, errForm
	}
	return p, salt, key, nil
}
