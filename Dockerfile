FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY scripts/build-release scripts/build-release
COPY cmd cmd
COPY internal internal
ARG VERSION=development
RUN VERSION="$VERSION" scripts/build-release /release ./cmd/action

# The image is the binary and git. The runner mounts the workspace as another user's, so that it stays root; it sets the working
# directory itself.
FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /release/action /usr/local/bin/altergate-action
ENTRYPOINT ["/usr/local/bin/altergate-action"]
