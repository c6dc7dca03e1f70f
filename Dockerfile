# Builds from a checkout, with docker, podman or buildah. Both bases can be replaced: by a mirror, another release, or
# bases of one's own, which tools/test-image makes with debootstrap. The second one needs glibc and libgcc_s and nothing
# else: there is no step that runs in it.
ARG SWIFT_IMAGE=docker.io/library/swift:6.3-bookworm
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12:latest

FROM ${SWIFT_IMAGE} AS build
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        libbrotli-dev libstdc++-12-dev libzstd-dev tzdata zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift openapi.yaml profile.schema.json ./
COPY Sources Sources
COPY tools/build-static tools/coding-traits tools/
# Package.swift names these targets; their sources are not compiled.
COPY Benchmarks Benchmarks
COPY Tests Tests
COPY examples examples
RUN tools/build-static convert-server
# What the image gets: the program, the zone rules without their copies, and a configuration.
RUN mkdir -p /out/usr/local/bin /out/usr/share/zoneinfo /out/etc/convert \
    && cp .build/static/convert-server /out/usr/local/bin/ \
    && cp -a /usr/share/zoneinfo/. /out/usr/share/zoneinfo/ \
    && rm -rf /out/usr/share/zoneinfo/posix /out/usr/share/zoneinfo/right \
    && printf '%s\n' '{ "listen": "0.0.0.0:8080", "profiles": "profiles" }' >/out/etc/convert/convert.json
COPY examples/profiles /out/etc/convert/profiles

FROM ${RUNTIME_IMAGE}
COPY --from=build /out/ /
# Nobody's, so that nothing in the image can be written by it; any other number will do too.
USER 10001:10001
# The file names everything; `CONVERT_…` variables beat it, one by one.
ENV CONVERT_CONFIG=/etc/convert/convert.json
EXPOSE 8080
STOPSIGNAL SIGTERM
# The program asks itself: no shell and no curl are needed.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2s CMD ["/usr/local/bin/convert-server", "health"]
ENTRYPOINT ["/usr/local/bin/convert-server"]
CMD ["serve"]
