package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/migrations"
	"gpatlas/platform/database"
)

// templateGeneration changes when templates are built in another way although the migrations are the same.
const templateGeneration = "1"

// ensureTemplate is the name of the database that clones are made from: migrated, closed to connections, and named by the hash
// of the migrations, so that a server for many test runs has one for each schema. It is built under a temporary name and
// renamed when it is complete, so that a builder that dies leaves no partial template.
func ensureTemplate(ctx context.Context, admin string) (string, error) {
	hash, err := migrationsHash(migrations.FS)
	if err != nil {
		return "", err
	}
	name := "gptpl_" + hash[:16]
	err = withAdmin(ctx, admin, func(c *pgx.Conn) error {
		if there, err := databaseExists(ctx, c, name); err != nil || there {
			return err
		}
		key := int64(crc32.ChecksumIEEE([]byte(name)))
		if _, err := c.Exec(ctx, "SELECT pg_advisory_lock($1)", key); err != nil { // ends with the connection
			return err
		}
		if there, err := databaseExists(ctx, c, name); err != nil || there {
			return err // another process built it while we waited
		}
		return buildTemplate(ctx, c, admin, name)
	})
	return name, err
}

func buildTemplate(ctx context.Context, c *pgx.Conn, admin, name string) error {
	building := fmt.Sprintf("%s_%d_%d", name, os.Getpid(), time.Now().UnixNano()%1e9)
	if _, err := c.Exec(ctx, "CREATE DATABASE "+quote(building)+" TEMPLATE template0"); err != nil {
		return err
	}
	buildingURL, err := withDatabase(admin, building)
	if err != nil {
		return err
	}
	if err := database.MigrateUp(ctx, buildingURL); err != nil {
		return err
	}
	// Connections are forbidden: a template with a connection cannot be cloned.
	for _, s := range []string{
		"ALTER DATABASE " + quote(building) + " WITH ALLOW_CONNECTIONS false",
		"ALTER DATABASE " + quote(building) + " RENAME TO " + quote(name),
	} {
		if err := whileInUse(ctx, func() error { _, err := c.Exec(ctx, s); return err }); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// clone copies a template. FILE_COPY, if the server knows it, costs half as much as writing everything to the log. Settings of
// a database are not copied, so the unusual time zone is set on each.
func clone(ctx context.Context, admin, template, name string) error {
	return withAdmin(ctx, admin, func(c *pgx.Conn) error {
		create := "CREATE DATABASE " + quote(name) + " TEMPLATE " + quote(template)
		if v := c.PgConn().ParameterStatus("server_version"); majorVersion(v) >= 15 {
			create += " STRATEGY file_copy"
		}
		if err := whileInUse(ctx, func() error { _, err := c.Exec(ctx, create); return err }); err != nil {
			return err
		}
		_, err := c.Exec(ctx, "ALTER DATABASE "+quote(name)+" SET timezone = '"+TimeZone+"'")
		return err
	})
}

// whileInUse retries what PostgreSQL refuses because another session has not completely left the database yet.
func whileInUse(ctx context.Context, fn func() error) error {
	const objectInUse = "55006"
	for attempt := 0; ; attempt++ {
		err := fn()
		if !hasCode(err, objectInUse) || attempt == 100 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func databaseExists(ctx context.Context, c *pgx.Conn, name string) (there bool, err error) {
	err = c.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&there)
	return there, err
}

// migrationsHash names a schema: the hash of every migration's name and text.
func migrationsHash(files fs.FS) (string, error) {
	names, err := fs.Glob(files, "*.sql") // in lexical order
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s\n", templateGeneration) // writing to a hash never fails
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
