# GP Atlas in one image: `gpatlas web`, `gpatlas worker`, `gpatlas migrate up`, chosen by the command.
FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG BUILD=docker
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.build=${BUILD}" -o /out/gpatlas ./cmd/gpatlas

FROM alpine:3.22
RUN apk add --no-cache ca-certificates tzdata && adduser -D -H -u 10001 gpatlas
COPY --from=build /out/gpatlas /usr/local/bin/gpatlas
USER gpatlas
ENV WEB_ADDR=0.0.0.0:8080
EXPOSE 8080
# SIGTERM drains: requests and jobs that have begun are finished.
STOPSIGNAL SIGTERM
ENTRYPOINT ["gpatlas"]
CMD ["web"]
