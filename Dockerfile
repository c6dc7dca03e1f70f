# syntax=docker/dockerfile:1
# Both stages can be replaced, by a mirror or by an older or newer release.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS build
# A directory that holds only the static zlib: named first, it keeps the linker from taking the shared one.
RUN apt-get update \
    && apt-get install -y --no-install-recommends zlib1g-dev \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir /static \
    && ln -s "/usr/lib/$(uname -m)-linux-gnu/libz.a" /static/libz.a
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
COPY Benchmarks Benchmarks
COPY Tests Tests
COPY openapi.yaml profile.schema.json ./
RUN swift build -c release --product convert-server --static-swift-stdlib -Xlinker -L/static \
    && mkdir /out \
    && strip -o /out/convert-server "$(swift build -c release --static-swift-stdlib --show-bin-path)/convert-server"

FROM ${RUNTIME_IMAGE}
# libstdc++ is what the program links besides libc; tzdata holds the zone rules that dates with a named zone need.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libstdc++6 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin convert
COPY --from=build /out/convert-server /usr/local/bin/convert-server
COPY openapi.yaml profile.schema.json /usr/local/share/convert/
COPY examples/profiles /etc/convert/profiles
USER 10001
ENV CONVERT_LISTEN=0.0.0.0:8080 \
    CONVERT_PROFILES=/etc/convert/profiles
EXPOSE 8080
STOPSIGNAL SIGTERM
# The program asks itself: no shell and no curl are needed.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2s CMD ["/usr/local/bin/convert-server", "health"]
ENTRYPOINT ["/usr/local/bin/convert-server"]
CMD ["serve"]
