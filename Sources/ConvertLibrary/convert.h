/* libconvert: JSON in, converted JSON out, by a mapping profile. docs/c-and-python.md has examples.
 *
 * Texts are UTF-8 with a length in bytes, and no zero at the end. An address may be null if its length is 0.
 *
 * Memory: the caller owns every buffer. The library keeps no address of one after a call. A handle is owned by the caller, who
 * frees it once. Null may be freed. If the system has no more memory, the process ends.
 *
 * Threads: several threads may use one profile at once. A converter may be used by one thread at a time, by any thread. Nothing is shared
 * between handles. A profile must not be freed during a call that uses it.
 *
 * Errors are JSON objects. They have "code" and "message" and, if known, "pointer", "line", "column" and "offset" in the payload, "rule"
 * (JSON Pointer into the profile) and "hint". Code "profile" is an error in the profile: "line" and "column" are then in the profile, and
 * "faults" lists all its errors. docs/errors.md has the other codes. Lines and columns count from 1, columns and offsets in bytes.
 *
 * Profiles with the name of a time zone read its file in /usr/share/zoneinfo. Profiles with "hash" read the environment variable or the
 * file that they name.
 */
#ifndef CONVERT_H
#define CONVERT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A checked profile. */
typedef struct convert_profile convert_profile;
/* Converts payloads one after another, in one direction. */
typedef struct convert_converter convert_converter;

enum convert_direction { CONVERT_FORWARD = 0, CONVERT_INVERSE = 1 };
/* One JSON text, or NDJSON: one JSON text on each line. */
enum convert_framing { CONVERT_DOCUMENT = 0, CONVERT_LINES = 1 };

/* The version of the library, such as "0.1.0", with a zero at the end. Never freed. */
const char *convert_version(void);

/* Parses and checks a profile. Returns 0, and sets `profile`. Otherwise sets `profile` to null, writes an error to `text`, at most
 * `capacity` bytes of it, and returns the length of the whole error.
 *
 * `max_depth` is the maximum number of open objects and arrays in a payload; 0 means 512, and more than 32768 means 32768.
 * `max_held_bytes` is the maximum memory for what must be buffered of a payload; 0 means 256 MiB. */
size_t convert_profile_new(const uint8_t *document, size_t count, size_t max_depth, size_t max_held_bytes,
                           convert_profile **profile, uint8_t *text, size_t capacity);

/* Frees a profile. Its converters remain usable. */
void convert_profile_free(convert_profile *profile);

/* Reports on a profile as POST /v1/profiles/check does: a JSON object. With a payload that is not null, its member "explanation" says
 * what the profile does to the payload in a direction. Writes at most `capacity` bytes to `text`. Returns the length of the report:
 * if it is more than `capacity`, call again with a larger buffer. */
size_t convert_check(const uint8_t *document, size_t count, const uint8_t *payload, size_t payload_count, int direction,
                     uint8_t *text, size_t capacity);

/* Creates a converter. Returns 0, and sets `converter`. Otherwise sets `converter` to null, and writes and returns an error as
 * convert_profile_new does, for example if the profile has no inverse. */
size_t convert_converter_new(convert_profile *profile, int direction, int framing,
                             convert_converter **converter, uint8_t *text, size_t capacity);

void convert_converter_free(convert_converter *converter);

/* Converts the next piece of a payload. Pieces may be cut anywhere.
 *
 * Returns how many bytes of output convert_read can read now: with those that were not read before. A number below zero is an error. Its
 * text replaces all output, and has that many bytes without the sign. After an error the converter begins another payload. */
int64_t convert_feed(convert_converter *converter, const uint8_t *input, size_t count);

/* Does the same with the last piece of a payload, which may be empty or the whole payload. After it the converter begins another one. */
int64_t convert_finish(convert_converter *converter, const uint8_t *input, size_t count);

/* Moves output, or an error, into a buffer. Returns how many bytes: `capacity`, or fewer if that is all. */
size_t convert_read(convert_converter *converter, uint8_t *buffer, size_t capacity);

/* Ends a payload that is not converted further, and removes its output. */
void convert_reset(convert_converter *converter);

/* How many bad records were skipped, or replaced by null, in the payload, or in the last one if none has begun. */
uint64_t convert_skipped(const convert_converter *converter);

#ifdef __cplusplus
}
#endif

#endif
