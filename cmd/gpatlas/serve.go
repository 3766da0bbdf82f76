package main

import (
	"context"
	"errors"
	"net"

	"github.com/spf13/cobra"

	"gpatlas/platform/log"
	"gpatlas/platform/module"
)

func (p *program) webCommand() *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Serve the API (production; settings from the environment)",
		Long:  "Serve the API until SIGTERM or Ctrl-C, then finish the running requests. Listens on WEB_ADDR, or on PORT if a platform sets it.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.settingsFor("MAIL_")
			if err != nil {
				return err
			}
			if addr == "" {
				addr = p.webAddr(s)
			}
			front, err := bind(cmd.Context(), addr)
			if err != nil {
				return err
			}
			defer front.close()
			s.Web.Addr, s.Web.Listen = front.addr(), front.handOver
			return p.serve(cmd.Context(), module.Process{Name: "web", Web: true}, s)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "", "HOST:PORT to listen on, in place of WEB_ADDR")
	return cmd
}

// webAddr is WEB_ADDR; on platforms that only set PORT it is every address of the machine.
func (p *program) webAddr(s settings) string {
	if port := p.getenv("PORT"); port != "" && p.getenv("WEB_ADDR") == "" {
		return net.JoinHostPort("", port)
	}
	return s.Web.Addr
}

func (p *program) workerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "worker",
		Short: "Run jobs and schedules (production; settings from the environment)",
		Long:  "Run jobs and schedules until SIGTERM or Ctrl-C, then finish the running jobs.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.settingsFor("WEB_", "ACCOUNTS_JWT_KEYS")
			if err != nil {
				return err
			}
			return p.serve(cmd.Context(), module.Process{Name: "worker", Worker: true}, s)
		},
	}
}

// serve runs a process of production until it is asked to stop.
func (p *program) serve(ctx context.Context, process module.Process, s settings) error {
	logger, flush := log.Open(s.Log, p.stderr)
	defer flush()
	for _, m := range p.misspelt { // to the log, which programs read
		logger.Warn(m.String())
	}
	svc, err := p.open(ctx, process, s, logger)
	if err != nil {
		return err
	}
	if err := svc.start(ctx); err != nil {
		return err
	}
	if process.Web && s.Legal.Name == "" {
		logger.Warn("the operator is not named: set LEGAL_NAME and the other LEGAL_ settings, which /v1/legal/entity-info shows")
	}
	logger.Info("started", "process", process.Name, "build", build)
	var ended error
	select {
	case <-ctx.Done():
		logger.Info("stopping: finishing requests and jobs in progress")
	case ended = <-svc.ended():
	}
	return errors.Join(ended, p.stop(svc))
}
