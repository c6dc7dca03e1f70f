/// The text of openapi.yaml, which `GET /openapi.yaml` answers.
///
/// Written by `make openapi`; a test compares the two.
enum OpenAPIDocument {
    static let text = #"""
        openapi: 3.1.1
        info:
          title: Convert
          version: 0.1.0
          summary: Normalises and minifies JSON by a mapping profile.
          description: |
            A payload goes in, the converted payload comes out, and nothing else: every POST answers with the converted
            body. Numbers keep their text, members their order and strings their escapes unless a profile says otherwise.

            Faults are `application/problem+json` (RFC 9457). They name the place of the fault and never repeat the payload.
            A fault that is found after the answer has begun ends the connection, so that no client takes a cut answer for
            a whole one.
        servers:
          - url: http://localhost:8080
            description: What `make serve` starts
        tags:
          - name: conversion
            description: Payload in, payload out.
          - name: profiles
            description: The mapping profiles that the server has loaded.
          - name: operation
            description: For load balancers, orchestrators and people.
        paths:
          /v1/minify:
            post:
              operationId: minify
              tags: [conversion]
              summary: Take the white space out of a payload, or indent it.
              parameters:
                - $ref: '#/components/parameters/Indent'
                - $ref: '#/components/parameters/Escapes'
              requestBody:
                $ref: '#/components/requestBodies/Payload'
              responses:
                '200': { $ref: '#/components/responses/Converted' }
                '400': { $ref: '#/components/responses/Malformed' }
                '406': { $ref: '#/components/responses/NotAcceptable' }
                '408': { $ref: '#/components/responses/TimedOut' }
                '413': { $ref: '#/components/responses/TooLarge' }
                '415': { $ref: '#/components/responses/UnsupportedMediaType' }
                '422': { $ref: '#/components/responses/RuleBroken' }
                '503': { $ref: '#/components/responses/Unavailable' }
          /v1/normalize:
            post:
              operationId: normalize
              tags: [conversion]
              summary: Convert a payload by the query's own small profile.
              description: At least one of `keys` and `dates` says how.
              parameters:
                - name: keys
                  in: query
                  description: The spelling of all keys.
                  schema: { $ref: '#/components/schemas/KeyCase' }
                  example: camelCase
                - name: dates
                  in: query
                  description: >-
                    The form of every string that is wholly one date-time with an explicit zone; all else is left alone.
                  schema: { $ref: '#/components/schemas/DateFormat' }
                  example: rfc3339
              requestBody:
                $ref: '#/components/requestBodies/Payload'
              responses:
                '200': { $ref: '#/components/responses/Converted' }
                '400': { $ref: '#/components/responses/Malformed' }
                '406': { $ref: '#/components/responses/NotAcceptable' }
                '408': { $ref: '#/components/responses/TimedOut' }
                '413': { $ref: '#/components/responses/TooLarge' }
                '415': { $ref: '#/components/responses/UnsupportedMediaType' }
                '422': { $ref: '#/components/responses/RuleBroken' }
                '503': { $ref: '#/components/responses/Unavailable' }
          /v1/convert/{profile}:
            post:
              operationId: convertByProfile
              tags: [conversion]
              summary: Convert a payload by a profile that the server has.
              parameters:
                - $ref: '#/components/parameters/Profile'
                - name: direction
                  in: query
                  description: Where to convert to. A profile that cannot be undone answers `inverse` with 422.
                  schema: { $ref: '#/components/schemas/Direction' }
              requestBody:
                $ref: '#/components/requestBodies/Payload'
              responses:
                '200': { $ref: '#/components/responses/Converted' }
                '400': { $ref: '#/components/responses/Malformed' }
                '404': { $ref: '#/components/responses/NotFound' }
                '406': { $ref: '#/components/responses/NotAcceptable' }
                '408': { $ref: '#/components/responses/TimedOut' }
                '413': { $ref: '#/components/responses/TooLarge' }
                '415': { $ref: '#/components/responses/UnsupportedMediaType' }
                '422': { $ref: '#/components/responses/RuleBroken' }
                '503': { $ref: '#/components/responses/Unavailable' }
          /v1/convert:
            post:
              operationId: convert
              tags: [conversion]
              summary: Convert a payload by a profile that comes with it.
              parameters:
                - name: direction
                  in: query
                  description: Where to convert to, for forms; an envelope has a member for it.
                  schema: { $ref: '#/components/schemas/Direction' }
              requestBody:
                required: true
                content:
                  multipart/form-data:
                    schema:
                      type: object
                      required: [profile, payload]
                      properties:
                        profile:
                          description: >-
                            The mapping profile, a JSON document. When it stands before the payload, the payload is converted
                            as it comes; otherwise the payload is kept until the profile is there.
                          type: string
                        payload:
                          description: The payload, as a file or a field.
                          type: string
                    encoding:
                      profile: { contentType: application/json }
                      payload: { contentType: 'application/json, application/x-ndjson, application/jsonl' }
                  application/json:
                    schema: { $ref: '#/components/schemas/Envelope' }
                    examples:
                      profile:
                        summary: A profile of the request's own
                        value: { profile: { rename: { firstName: fn } }, payload: { firstName: Ada } }
                      name:
                        summary: A profile that the server has, by name
                        value: { profile: mobile, payload: { firstName: Ada } }
              responses:
                '200': { $ref: '#/components/responses/Converted' }
                '400': { $ref: '#/components/responses/Malformed' }
                '404': { $ref: '#/components/responses/NotFound' }
                '406': { $ref: '#/components/responses/NotAcceptable' }
                '408': { $ref: '#/components/responses/TimedOut' }
                '413': { $ref: '#/components/responses/TooLarge' }
                '415': { $ref: '#/components/responses/UnsupportedMediaType' }
                '422': { $ref: '#/components/responses/RuleBroken' }
                '503': { $ref: '#/components/responses/Unavailable' }
          /v1/profiles:
            get:
              operationId: listProfiles
              tags: [profiles]
              summary: List the loaded profiles.
              responses:
                '200':
                  description: The profiles, by name.
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [profiles]
                        properties:
                          profiles:
                            type: array
                            items: { $ref: '#/components/schemas/ProfileSummary' }
                      example:
                        profiles:
                          - { name: camel, description: Any key spelling to camelCase, state: ready }
                          - { name: mobile, state: ready }
                '406': { $ref: '#/components/responses/NotAcceptable' }
          /v1/profiles/{profile}:
            get:
              operationId: getProfile
              tags: [profiles]
              summary: Get a profile as it was written.
              parameters:
                - $ref: '#/components/parameters/Profile'
              responses:
                '200':
                  description: The profile document.
                  content:
                    application/json:
                      schema: { $ref: '#/components/schemas/ProfileDocument' }
                      example: { version: 1, name: mobile, rename: { firstName: fn } }
                '404': { $ref: '#/components/responses/NotFound' }
                '406': { $ref: '#/components/responses/NotAcceptable' }
          /v1/profiles/check:
            post:
              operationId: checkProfile
              tags: [profiles]
              summary: Report every fault of a profile without loading it.
              requestBody:
                required: true
                content:
                  application/json:
                    schema: { $ref: '#/components/schemas/ProfileDocument' }
                    example: { keys: camelcase }
              responses:
                '200':
                  description: The report, also of a faulty profile.
                  content:
                    application/json:
                      schema: { $ref: '#/components/schemas/CheckReport' }
                      example:
                        valid: false
                        faults:
                          - pointer: /keys
                            line: 1
                            column: 10
                            message: '`camelcase` is no choice here'
                            hint: did you mean `camelCase`?
                        warnings: []
                '406': { $ref: '#/components/responses/NotAcceptable' }
                '413': { $ref: '#/components/responses/TooLarge' }
                '415': { $ref: '#/components/responses/UnsupportedMediaType' }
          /healthz:
            get:
              operationId: health
              tags: [operation]
              summary: Tell whether the process is alive.
              responses:
                '200':
                  description: It is.
                  content:
                    application/json:
                      schema: { $ref: '#/components/schemas/Status' }
                      example: { status: ok }
          /readyz:
            get:
              operationId: readiness
              tags: [operation]
              summary: Tell whether the server wants requests.
              responses:
                '200':
                  description: It does; profiles whose newest file is faulty are named.
                  content:
                    application/json:
                      schema: { $ref: '#/components/schemas/Status' }
                      example: { status: ok }
                '503': { $ref: '#/components/responses/Unavailable' }
          /openapi.yaml:
            get:
              operationId: description
              tags: [operation]
              summary: Get this document.
              responses:
                '200':
                  description: This document.
                  content:
                    application/yaml:
                      schema: { type: object, required: [openapi, info, paths] }
        components:
          parameters:
            Profile:
              name: profile
              in: path
              required: true
              description: The name of a loaded profile.
              schema: { type: string }
              example: mobile
            Indent:
              name: indent
              in: query
              description: Spaces a level; 0 minifies. Ignored for NDJSON.
              schema: { type: integer, minimum: 0, maximum: 16, default: 0 }
            Escapes:
              name: escapes
              in: query
              description: How strings are written.
              schema: { $ref: '#/components/schemas/Escapes' }
          requestBodies:
            Payload:
              required: true
              description: >-
                The payload. Without Content-Type it is taken for JSON; any type that ends in `+json` is JSON too.
              content:
                application/json:
                  schema: {}
                  example: { first_name: Ada }
                application/x-ndjson:
                  schema: { type: string, description: One JSON value a line. }
                  example: "{\"first_name\": \"Ada\"}\n{\"first_name\": \"Alan\"}\n"
                application/jsonl:
                  schema: { type: string, description: One JSON value a line. }
                application/x-www-form-urlencoded:
                  schema:
                    type: string
                    description: Taken for JSON, since this is what curl calls its data unless told otherwise.
          headers:
            RequestId:
              description: The request's `X-Request-Id`, or one that the server made.
              schema: { type: string }
          responses:
            Converted:
              description: The converted payload and nothing else.
              headers:
                X-Request-Id: { $ref: '#/components/headers/RequestId' }
              content:
                application/json:
                  schema: {}
                  example: { firstName: Ada }
                application/x-ndjson:
                  schema: { type: string, description: One JSON value a line. }
                  example: "{\"firstName\":\"Ada\"}\n{\"firstName\":\"Alan\"}\n"
            Malformed:
              description: The payload is no JSON or passes a limit, or the request is no proper HTTP or has a wrong parameter.
              headers:
                X-Request-Id: { $ref: '#/components/headers/RequestId' }
              content:
                application/problem+json:
                  schema: { $ref: '#/components/schemas/Problem' }
                  example:
                    type: about:blank
                    title: Bad Request
                    status: 400
                    detail: expected a value, found the end of the payload
                    code: json
                    pointer: /orders/0
                    line: 1
                    column: 12
                    offset: 11
                    requestId: 01J9ZK6V1Y
            NotFound:
              description: There is no such profile or path.
              content:
                application/problem+json:
                  schema: { $ref: '#/components/schemas/Problem' }
            NotAcceptable:
              description: The client accepts none of the forms that there are.
              content:
                application/problem+json:
                  schema: { $ref: '#/components/schemas/Problem' }
            TimedOut:
              description: The request did not arrive in time.
              content:
                application/problem+json:
                  schema: { $ref: '#/components/schemas/Problem' }
            TooLarge:
              description: The body is larger than the server takes.
              content:
                application/problem+json:
                  schema: { $ref: '#/components/schemas/Problem' }
            UnsupportedMediaType:
              description: The body is of a type or coding that the server does not read.
              content:
                application/problem+json:
                  schema: { $ref: '#/components/schemas/Problem' }
            RuleBroken:
              description: The payload is JSON and breaks a rule of the profile, or the profile that came with it is faulty.
              headers:
                X-Request-Id: { $ref: '#/components/headers/RequestId' }
              content:
                application/problem+json:
                  schema: { $ref: '#/components/schemas/Problem' }
                  example:
                    type: about:blank
                    title: Unprocessable Content
                    status: 422
                    detail: the names firstName and first_name both become firstName
                    code: collision
                    pointer: /first_name
                    line: 1
                    column: 20
                    offset: 19
                    requestId: 01J9ZK6V1Y
            Unavailable:
              description: The server is going down, has no profiles or has too much to do.
              content:
                application/problem+json:
                  schema: { $ref: '#/components/schemas/Problem' }
          schemas:
            KeyCase:
              type: string
              enum:
                - camelCase
                - PascalCase
                - snake_case
                - SCREAMING_SNAKE_CASE
                - kebab-case
                - Train-Case
                - dot.case
                - flatcase
                - preserve
            DateFormat:
              type: string
              enum:
                - rfc3339
                - date
                - epoch-s
                - epoch-ms
                - epoch-us
                - epoch-ns
                - rfc2822
                - http-date
                - dotnet-json
                - dotnet-ticks
                - filetime
                - apple-s
            Direction:
              type: string
              enum: [forward, inverse]
              default: forward
            Escapes:
              type: string
              enum: [preserve, minimal, ascii]
              default: preserve
            Envelope:
              type: object
              required: [profile, payload]
              properties:
                profile:
                  description: A profile, or the name of one that the server has.
                  oneOf:
                    - { type: string }
                    - { $ref: '#/components/schemas/ProfileDocument' }
                direction: { $ref: '#/components/schemas/Direction' }
                payload:
                  description: The payload, any JSON value.
            Selectors:
              description: >-
                One selector or a list. With a leading `/` a JSON Pointer pattern (`*` one name or index, `**` any levels);
                without, a key name at any depth (`*` any characters).
              oneOf:
                - { type: string, minLength: 1 }
                - { type: array, items: { type: string, minLength: 1 } }
            InputDateFormat:
              oneOf:
                - type: string
                  enum:
                    - auto
                    - rfc3339
                    - iso8601
                    - date
                    - epoch-s
                    - epoch-ms
                    - epoch-us
                    - epoch-ns
                    - rfc2822
                    - http-date
                    - asctime
                    - dotnet-json
                    - dotnet-ticks
                    - filetime
                    - apple-s
                - $ref: '#/components/schemas/DatePattern'
            DatePattern:
              type: object
              required: [pattern]
              additionalProperties: false
              properties:
                pattern: { type: string, description: 'Unicode LDML letters, English names.', examples: [dd/MM/yyyy HH:mm] }
            DateRule:
              type: object
              additionalProperties: false
              properties:
                at: { $ref: '#/components/schemas/Selectors' }
                from:
                  oneOf:
                    - { $ref: '#/components/schemas/InputDateFormat' }
                    - { type: array, items: { $ref: '#/components/schemas/InputDateFormat' } }
                to:
                  oneOf:
                    - { $ref: '#/components/schemas/DateFormat' }
                    - { $ref: '#/components/schemas/DatePattern' }
                  default: rfc3339
                precision: { type: integer, minimum: 0, maximum: 9, description: 'Digits of the fraction, with rfc3339 only.' }
                zone: { type: string, description: 'Of the output: an IANA name, ±HH:MM or UTC.', default: UTC }
                assumeZone: { type: string, description: Of inputs without one. }
            KeysRule:
              type: object
              additionalProperties: false
              properties:
                case: { $ref: '#/components/schemas/KeyCase', default: preserve }
                from: { $ref: '#/components/schemas/KeyCase' }
                acronyms: { type: array, items: { type: string } }
                acronymStyle: { type: string, enum: [title, asListed], default: title }
                except: { $ref: '#/components/schemas/Selectors' }
                opaque: { $ref: '#/components/schemas/Selectors' }
            ProfileDocument:
              description: A mapping profile, version 1, as docs/profile.md explains it.
              type: object
              additionalProperties: false
              properties:
                $schema: { type: string, description: For editors; the server takes no notice. }
                version: { type: integer, const: 1 }
                name: { type: string }
                description: { type: string }
                keys:
                  oneOf:
                    - { $ref: '#/components/schemas/KeyCase' }
                    - { $ref: '#/components/schemas/KeysRule' }
                rename: { type: object, additionalProperties: { type: string } }
                dates:
                  oneOf:
                    - { $ref: '#/components/schemas/DateFormat' }
                    - { $ref: '#/components/schemas/DateRule' }
                    - { type: array, items: { $ref: '#/components/schemas/DateRule' } }
                'on':
                  type: object
                  additionalProperties: false
                  properties:
                    collision: { $ref: '#/components/schemas/Choice' }
                    duplicateKey: { $ref: '#/components/schemas/Choice' }
                    badValue: { type: string, enum: [error, keep], default: error }
                    lossyKey: { type: string, enum: [keep, error], default: keep, description: For the inverse direction. }
                output:
                  type: object
                  additionalProperties: false
                  properties:
                    indent: { type: integer, minimum: 0, maximum: 16, default: 0 }
                    escapes: { $ref: '#/components/schemas/Escapes' }
                    sortKeys: { type: boolean, const: false }
                roundTrip:
                  description: Whether a rule that cannot be undone is a fault of the profile.
                  type: string
                  enum: [ignore, required]
                  default: ignore
                examples:
                  type: array
                  items:
                    type: object
                    additionalProperties: false
                    required: [in, out]
                    properties:
                      in: { description: 'A payload, any JSON value.' }
                      out: { description: What it becomes. }
            Choice:
              type: string
              enum: [error, first, keep]
              default: error
            ProfileSummary:
              type: object
              required: [name, state]
              properties:
                name: { type: string }
                description: { type: string }
                state:
                  description: >-
                    `outdated` when the newest file is faulty and the last good version serves, `faulty` when there is none.
                  type: string
                  enum: [ready, outdated, faulty]
                detail: { type: string, description: What is wrong with the newest file. }
            ProfileFault:
              type: object
              required: [pointer, line, column, message]
              properties:
                pointer: { type: string, description: JSON Pointer into the profile. }
                line: { type: integer, minimum: 1 }
                column: { type: integer, minimum: 1, description: In bytes. }
                message: { type: string }
                hint: { type: string }
            CheckReport:
              type: object
              required: [valid, faults, warnings]
              properties:
                valid: { type: boolean, description: Whether there are no faults. }
                faults:
                  type: array
                  items: { $ref: '#/components/schemas/ProfileFault' }
                warnings:
                  description: What is legal but cannot do what it seems to say, such as rules that never act.
                  type: array
                  items: { $ref: '#/components/schemas/ProfileFault' }
                invertible: { type: boolean, description: Whether the profile can be undone. Only of a valid profile. }
                losses:
                  description: The rules that cannot be undone, and why. Only of a valid profile.
                  type: array
                  items: { $ref: '#/components/schemas/ProfileFault' }
                failedExamples:
                  description: >-
                    The examples that do not hold, of an invertible profile in either direction. Only of a valid profile.
                  type: array
                  items: { $ref: '#/components/schemas/ProfileFault' }
            Status:
              type: object
              required: [status]
              properties:
                status: { type: string }
                detail: { type: string }
            Problem:
              description: RFC 9457, with the place of the fault.
              type: object
              required: [type, title, status]
              properties:
                type: { type: string, format: uri-reference }
                title: { type: string }
                status: { type: integer, minimum: 400, maximum: 599 }
                detail: { type: string }
                code:
                  type: string
                  examples: [json, limit, duplicateKey, badValue, collision, lossyKey, profile, parameter, unknown-profile]
                parameter: { type: string, description: The query parameter or part of a form that is wrong. }
                pointer: { type: string, description: 'JSON Pointer to the fault, in the names of the payload as given.' }
                line: { type: integer, minimum: 1 }
                column: { type: integer, minimum: 1, description: In bytes. }
                offset: { type: integer, minimum: 0, description: Bytes before the fault. }
                rule: { type: string, description: JSON Pointer into the profile to the rule that was broken. }
                hint: { type: string }
                faults:
                  description: All that is wrong with a profile; line and column are the profile's then.
                  type: array
                  items: { $ref: '#/components/schemas/ProfileFault' }
                requestId: { type: string }

        """#
}
