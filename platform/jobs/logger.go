package jobs

import (
	"fmt"
	"log/slog"
)

// asynqLog forwards asynq's own log lines. Its info level becomes our debug level.
type asynqLog struct{ log *slog.Logger }

func (l asynqLog) Debug(args ...any) { l.log.Debug(fmt.Sprint(args...)) }
func (l asynqLog) Info(args ...any)  { l.log.Debug(fmt.Sprint(args...)) }
func (l asynqLog) Warn(args ...any)  { l.log.Warn(fmt.Sprint(args...)) }
func (l asynqLog) Error(args ...any) { l.log.Error(fmt.Sprint(args...)) }
func (l asynqLog) Fatal(args ...any) { l.log.Error(fmt.Sprint(args...)) }
