FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY internal internal
ARG VERSION=development
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X github.com/altergate/altergate/internal/cli.Version=${VERSION}" -o /altergate-action ./cmd/action

# The image is the binary and git. The runner mounts the workspace as another user's, so that it stays root; it sets the working
# directory itself.
FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /altergate-action /usr/local/bin/altergate-action
ENTRYPOINT ["/usr/local/bin/altergate-action"]
