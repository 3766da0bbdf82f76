package database

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Stores use GORM to create, read, update and delete rows by key. Every other statement runs through one of the three functions
// below, with named arguments (@name). A statement of more than one line is a .sql file beside its store, embedded as a string.
// They take part in the transaction of ctx, if any, and return errors as Failure does; what names the action in the error:
// "read a watchlist".

// Args are the named arguments of a statement: it refers to "user" as @user.
type Args = pgx.NamedArgs

// Select returns the rows of a statement. T is a struct with a field for each column, by name: GPName, or a field with the
// tag `db:"gp_name"`, is the column gp_name. A column without a field, or a field without a column, is an error.
func Select[T any](ctx context.Context, db *DB, what, statement string, args Args) ([]T, error) {
	return collect(ctx, db, what, statement, args, pgx.RowToStructByName[T])
}

// Values returns the only column of the rows of a statement.
func Values[T any](ctx context.Context, db *DB, what, statement string, args Args) ([]T, error) {
	return collect(ctx, db, what, statement, args, pgx.RowTo[T])
}

// Run runs a statement and returns how many rows it affected.
func Run(ctx context.Context, db *DB, what, statement string, args Args) (affected int64, err error) {
	tag, err := db.querier(ctx).Exec(ctx, statement, args)
	return tag.RowsAffected(), Failure(what, err)
}

func collect[T any](ctx context.Context, db *DB, what, statement string, args Args, row pgx.RowToFunc[T]) ([]T, error) {
	read := func(q querier) ([]T, error) {
		rows, err := q.Query(ctx, statement, args)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, row)
	}
	if s := db.behind(ctx); s != nil && !db.InTransaction(ctx) {
		list, err := read(s.pool)
		if !s.refused(ctx, err) {
			return list, Failure(what, err)
		}
	}
	list, err := read(db.querier(ctx))
	return list, Failure(what, err)
}

// querier is the common interface of the pool and a transaction's connection.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

func (db *DB) querier(ctx context.Context) querier {
	if tx := db.current(ctx); tx != nil {
		return tx.conn
	}
	return db.pool
}
