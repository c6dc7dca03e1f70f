# Builds from a checkout, with docker, podman or buildah. Both bases can be replaced: by a mirror, another release, or
# bases of one's own, which tools/test-image makes with debootstrap. The second one needs glibc and nothing else:
# there is no step that runs in it.
ARG SWIFT_IMAGE=docker.io/library/swift:6.3-bookworm
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian12:latest

FROM ${SWIFT_IMAGE} AS build
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libstdc++-12-dev tzdata zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
# A directory that holds only static libraries: named first, it keeps the linker from taking the shared ones.
RUN mkdir /static \
    && ln -s "$(find /usr/lib -name libz.a | head -n 1)" "$(find /usr/lib/gcc -name libstdc++.a | head -n 1)" /static/
WORKDIR /source
COPY Package.swift openapi.yaml profile.schema.json ./
COPY Sources Sources
# Package.swift names these targets; their sources are not compiled.
COPY Benchmarks Benchmarks
COPY Tests Tests
COPY examples examples
# Relocations in their packed form and no symbols for others to find take 1.3 MB less, which only this linker knows.
RUN swift build -c release --product convert-server --static-swift-stdlib -Xlinker -L/static \
    -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
# What the image gets: the program without its symbols, the zone rules without their copies, and a configuration.
RUN mkdir -p /out/usr/local/bin /out/usr/share/zoneinfo /out/etc/convert \
    && strip -o /out/usr/local/bin/convert-server .build/release/convert-server \
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
