package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// txKey identifies the transaction of one database in a context; two databases never see each other's.
type txKey struct{ pool *pgxpool.Pool }

// transaction is the value in the context. One transaction belongs to one goroutine at a time.
type transaction struct {
	sql        *sql.Tx
	gorm       *gorm.DB
	conn       *pgx.Conn
	savepoints int
	over       bool
}

// current is the transaction in ctx, or nil, also if the transaction has ended.
func (db *DB) current(ctx context.Context) *transaction {
	tx, _ := ctx.Value(txKey{db.pool}).(*transaction)
	if tx == nil || tx.over {
		return nil
	}
	return tx
}

// InTx runs fn in a transaction in the context passed to it: From and Conn of that context belong to it. It is committed when fn
// returns nil and rolled back when fn fails or panics, or if ctx has ended. Inside another InTx it is a savepoint: its failure
// undoes only itself, and the outer function decides about the rest.
//
// The error is fn's unchanged, or Unavailable if the database is unavailable: before fn, at the commit, or in between.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	if tx := db.current(ctx); tx != nil {
		return tx.inSavepoint(ctx, fn)
	}
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return Failure("take a connection", err)
	}
	defer func() { _ = conn.Close() }()
	tx, err := db.begin(ctx, conn)
	if err != nil {
		return Failure("begin transaction", err)
	}
	done := false
	defer func() { // also on panic and runtime.Goexit
		tx.over = true
		if !done {
			_ = tx.sql.Rollback()
		}
	}()
	if err := fn(context.WithValue(ctx, txKey{db.pool}, tx)); err != nil {
		return tx.failure(err)
	}
	if err := ctx.Err(); err != nil {
		return Failure("run a transaction", err)
	}
	done = true
	if err := tx.sql.Commit(); err != nil {
		return Failure("commit transaction", err)
	}
	return nil
}

// failure classifies an error of fn, if it is the database's: a PostgreSQL error, or any error after the connection is lost.
// Other errors, such as a truncated file, are no fault of the database.
func (tx *transaction) failure(err error) error {
	_, answered := errors.AsType[*pgconn.PgError](err)
	if (answered || tx.conn.IsClosed()) && Away(err) {
		return Failure("run a transaction", err)
	}
	return err
}

// begin opens the transaction on conn. database/sql would roll a transaction back from another goroutine when its context ends,
// while fn may be in the middle of a COPY on the same connection. So only the BEGIN uses ctx; statements have their own
// context, and InTx ends the transaction.
func (db *DB) begin(ctx context.Context, conn *sql.Conn) (*transaction, error) {
	tx := &transaction{}
	err := conn.Raw(func(dc any) error {
		c, ok := dc.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("unexpected driver connection %T", dc)
		}
		tx.conn = c.Conn()
		return nil
	})
	if err != nil {
		return nil, err
	}
	txCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	tx.sql, err = conn.BeginTx(txCtx, nil)
	if !stop() && err == nil {
		_ = tx.sql.Rollback()
		err = ctx.Err()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	tx.gorm = db.gorm.Session(&gorm.Session{NewDB: true, Context: ctx})
	tx.gorm.Statement.ConnPool = tx.sql
	return tx, nil
}

// inSavepoint is InTx inside a transaction.
func (tx *transaction) inSavepoint(ctx context.Context, fn func(ctx context.Context) error) error {
	tx.savepoints++
	name := fmt.Sprintf("sp_%d", tx.savepoints)
	if err := tx.exec(ctx, "SAVEPOINT "+name); err != nil {
		return Failure("set savepoint", err)
	}
	done := false
	defer func() { // a panic: the outer transaction may recover it and continue
		if !done {
			_ = tx.undo(ctx, name)
		}
	}()
	err := fn(ctx)
	done = true
	if err != nil {
		return errors.Join(err, tx.undo(ctx, name))
	}
	if err := tx.exec(ctx, "RELEASE SAVEPOINT "+name); err != nil {
		return Failure("release savepoint", err)
	}
	return nil
}

// undo rolls back to a savepoint, also if ctx has ended: the outer transaction may still be committed.
func (tx *transaction) undo(ctx context.Context, name string) error {
	ctx = context.WithoutCancel(ctx)
	if err := tx.exec(ctx, "ROLLBACK TO SAVEPOINT "+name); err != nil {
		return fmt.Errorf("roll back to savepoint: %w", err)
	}
	return tx.exec(ctx, "RELEASE SAVEPOINT "+name)
}

func (tx *transaction) exec(ctx context.Context, statement string) error {
	_, err := tx.sql.ExecContext(ctx, statement)
	return err
}
