package database

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// statementLog logs failed and slow statements, without their values. A duplicate row is not logged: stores detect it by that
// error, and report it to the caller. If it is unexpected, the failing request or job is logged with its cause.
type statementLog struct{ logger.Interface }

func newStatementLog(log *slog.Logger) logger.Interface {
	return statementLog{logger.NewSlogLogger(log.With(slog.String("part", "database")), logger.Config{
		SlowThreshold: slowStatement, LogLevel: logger.Warn, IgnoreRecordNotFoundError: true, ParameterizedQueries: true,
	})}
}

// LogMode is the same with another level.
func (l statementLog) LogMode(level logger.LogLevel) logger.Interface {
	return statementLog{l.Interface.LogMode(level)}
}

// ParamsFilter removes values, as the logger below does.
func (l statementLog) ParamsFilter(ctx context.Context, sql string, params ...any) (string, []any) {
	if filter, ok := l.Interface.(gorm.ParamsFilter); ok {
		return filter.ParamsFilter(ctx, sql, params...)
	}
	return sql, nil
}

// Trace receives every statement.
func (l statementLog) Trace(ctx context.Context, begin time.Time, fc func() (sql string, rows int64), err error) {
	if expected(err) {
		err = nil // it may still have been slow
	}
	l.Interface.Trace(ctx, begin, fc, err)
}

// expected reports whether an error is of a kind that stores handle.
func expected(err error) bool {
	return errors.Is(err, gorm.ErrDuplicatedKey) || errors.Is(err, gorm.ErrForeignKeyViolated)
}
