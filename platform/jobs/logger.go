package jobs

import (
	"fmt"
	"log/slog"
)

// asynqLog passes asynq's own lines on. Its info is our debug: it tells of its inner life.
type asynqLog struct{ log *slog.Logger }

func (l asynqLog) Debug(args ...any) { l.log.Debug(fmt.Sprint(args...)) }
func (l asynqLog) Info(args ...any)  { l.log.Debug(fmt.Sprint(args...)) }
func (l asynqLog) Warn(args ...any)  { l.log.Warn(fmt.Sprint(args...)) }
func (l asynqLog) Error(args ...any) { l.log.Error(fmt.Sprint(args...)) }
func (l asynqLog) Fatal(args ...any) { l.log.Error(fmt.Sprint(args...)) }
