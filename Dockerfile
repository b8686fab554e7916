# The programs of a release are built in this image too (scripts/build-assets): pinned by its digest, it gives the same bytes each time.
FROM golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d AS build
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
FROM debian:bookworm-20260824-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
ARG VERSION=development
LABEL org.opencontainers.image.source="https://github.com/altergate/altergate" \
      org.opencontainers.image.title="Altergate" \
      org.opencontainers.image.description="Reviews database schema changes in pull requests" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION"
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git \
    && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log
COPY --from=build /release/action /usr/local/bin/altergate-action
ENTRYPOINT ["/usr/local/bin/altergate-action"]
