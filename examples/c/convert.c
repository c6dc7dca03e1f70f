/* Converts standard input to standard output by a profile: convert PROFILE [inverse]. It uses no more memory for a longer input.
 *
 *     cc -I Sources/ConvertLibrary examples/c/convert.c -L .build/release -lconvert -o convert
 */
#include "convert.h"

#include <stdio.h>
#include <string.h>

/* A profile may have 1 MiB. */
static uint8_t input[1024 * 1024], output[64 * 1024];

/* Writes the error that a call has put into `output`. */
static int fail(size_t length) {
    fwrite(output, 1, length < sizeof output ? length : sizeof output, stderr);
    fputc('\n', stderr);
    return 1;
}

int main(int count, char **words) {
    FILE *file = count > 1 ? fopen(words[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: convert PROFILE [inverse]\n");
        return 64;
    }
    size_t length = fread(input, 1, sizeof input, file);
    fclose(file);

    convert_profile *profile;
    convert_converter *converter = NULL;
    size_t error = convert_profile_new(input, length, 0, 0, &profile, output, sizeof output);
    if (error == 0) {
        int direction = count > 2 && strcmp(words[2], "inverse") == 0 ? CONVERT_INVERSE : CONVERT_FORWARD;
        error = convert_converter_new(profile, direction, CONVERT_DOCUMENT, &converter, output, sizeof output);
        convert_profile_free(profile);
    }
    if (error != 0) return fail(error);

    int64_t ready;
    do {
        length = fread(input, 1, sizeof input, stdin);
        ready = length > 0 ? convert_feed(converter, input, length) : convert_finish(converter, NULL, 0);
        if (ready < 0) {
            error = convert_read(converter, output, sizeof output);
            break;
        }
        while ((count = (int)convert_read(converter, output, sizeof output)) > 0) fwrite(output, 1, (size_t)count, stdout);
    } while (length > 0);
    convert_converter_free(converter);
    return error != 0 ? fail(error) : 0;
}
