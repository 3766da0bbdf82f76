// Package redisclient reads REDIS_URL: one server, the Sentinels of a primary, or a Redis Cluster.
package redisclient

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"

	"github.com/redis/go-redis/v9"
)

// Options reads the URL of Redis for redis.NewUniversalClient, in the forms of go-redis:
//
//	redis://USER:PASSWORD@HOST:PORT/DB, rediss:// for TLS, unix:///PATH?db=N     one server
//	redis://HOST:26379/DB?addr=HOST2:26379&master_name=NAME&password=PASSWORD    the Sentinels of the primary NAME
//	redis://USER:PASSWORD@HOST:PORT?addr=HOST2:PORT                              nodes of a Cluster
//
// User and password before the hosts of Sentinels are theirs; those of Redis are parameters. The error does not repeat the URL,
// which may contain a password.
func Options(redisURL string) (*redis.UniversalOptions, error) {
	u, err := url.Parse(redisURL)
	if err != nil {
		return nil, errors.New("the URL of Redis is malformed")
	}
	switch query := u.Query(); {
	case query.Has("master_name"):
		o, err := redis.ParseFailoverURL(redisURL)
		if err != nil {
			return nil, fmt.Errorf("the URL of Redis: %w", err)
		}
		return universal(o, o.SentinelAddrs), nil
	case query.Has("addr"):
		o, err := redis.ParseClusterURL(redisURL)
		if err != nil {
			return nil, fmt.Errorf("the URL of Redis: %w", err)
		}
		shared := universal(o, o.Addrs)
		shared.IsClusterMode = true
		return shared, nil
	default:
		o, err := redis.ParseURL(redisURL)
		if err != nil {
			return nil, fmt.Errorf("the URL of Redis: %w", err)
		}
		return universal(o, []string{o.Addr}), nil
	}
}

// universal copies the fields that the options of one kind share with those of all kinds. They have the same names.
func universal(from any, addresses []string) *redis.UniversalOptions {
	shared := &redis.UniversalOptions{}
	source, target := reflect.ValueOf(from).Elem(), reflect.ValueOf(shared).Elem()
	for i := range target.NumField() {
		if field := source.FieldByName(target.Type().Field(i).Name); field.IsValid() && field.Type() == target.Field(i).Type() {
			target.Field(i).Set(field)
		}
	}
	shared.Addrs = addresses
	return shared
}

// Connection opens clients for asynq, which closes them.
type Connection struct{ *redis.UniversalOptions }

// MakeRedisClient implements asynq.RedisConnOpt.
func (c Connection) MakeRedisClient() any { return redis.NewUniversalClient(c.UniversalOptions) }
