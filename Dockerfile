# Builds from a checkout, with docker, podman or buildah. Both bases can be replaced: by a mirror, by another release, or by your
# own, as tools/test-image does with debootstrap. The second one needs only glibc and libgcc_s: no step runs in it.
ARG SWIFT_IMAGE=docker.io/library/swift:6.3-bookworm
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12:latest

FROM ${SWIFT_IMAGE} AS build
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        libbrotli-dev libstdc++-12-dev libyaml-dev libzstd-dev python3 tzdata zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift openapi.yaml profile.schema.json ./
COPY Sources Sources
COPY tools/build-playground tools/build-static tools/build-wasm tools/library-traits tools/make-sbom tools/stamp-commit tools/
# Package.swift names these targets; their sources are not compiled.
COPY Benchmarks Benchmarks
COPY Tests Tests
COPY examples examples
# The page at `/`, which has the engine as WebAssembly. The program embeds it.
COPY bindings/javascript/index.js bindings/javascript/module.js bindings/javascript/
COPY playground playground
RUN tools/build-wasm && tools/build-playground
# The commit, and its time in seconds since 1970. `make image` sets both.
ARG COMMIT=unknown
ARG SOURCE_DATE_EPOCH=0
RUN COMMIT=$COMMIT tools/build-static convert-server
# The contents of the image: the program, its SBOM, the time zones without their copies, and a configuration.
RUN mkdir -p /out/usr/local/bin /out/usr/share/zoneinfo /out/usr/share/doc/convert-server /out/etc/convert \
    && ln -s convert-server /out/usr/local/bin/convert-json \
    && SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH tools/make-sbom .build/static/convert-server \
        "$(.build/static/convert-server --version | sed -n 's/^convert-server //p')" \
        >/out/usr/share/doc/convert-server/sbom.spdx.json \
    && cp .build/static/convert-server /out/usr/local/bin/ \
    && cp -a /usr/share/zoneinfo/. /out/usr/share/zoneinfo/ \
    && rm -rf /out/usr/share/zoneinfo/posix /out/usr/share/zoneinfo/right \
    && printf '%s\n' '{ "listen": "0.0.0.0:8080", "profiles": "profiles" }' >/out/etc/convert/convert.json
COPY examples/profiles /out/etc/convert/profiles
COPY LICENSE /out/usr/share/doc/convert-server/copyright
# The checkout's umask does not matter: every user may read the files, and only root may write them.
RUN chmod -R u=rwX,go=rX /out && find /out -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

FROM ${RUNTIME_IMAGE}
COPY --from=build /out/ /
ARG VERSION=0.1.0
ARG COMMIT=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Convert" \
    org.opencontainers.image.description="Rewrites JSON by profiles: an HTTP service, a gateway and a filter" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$COMMIT" \
    org.opencontainers.image.created="$CREATED" \
    org.opencontainers.image.licenses="Apache-2.0"
# No user of the image, so the program cannot write any of its files. Any other number works too.
USER 10001:10001
# The file has all settings; a `CONVERT_…` variable replaces one of them.
ENV CONVERT_CONFIG=/etc/convert/convert.json
EXPOSE 8080
STOPSIGNAL SIGTERM
# The program checks itself, without a shell or curl.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2s CMD ["/usr/local/bin/convert-server", "health"]
ENTRYPOINT ["/usr/local/bin/convert-server"]
CMD ["serve"]
