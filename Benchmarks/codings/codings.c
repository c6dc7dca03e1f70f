// Measures the output size, the time and the memory of each compression for a document. Usage: codings FILE...
//
// Every setting is used as the server uses it: each content is compressed in one piece and then ended. The rounds are
// interleaved, and the least time of a setting counts. The memory is the peak of the library's allocations.

#include <brotli/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

enum { ROUNDS = 15, MAX_DOCUMENT_BYTES = 8 << 20, SAMPLE_BYTES = 2000000 };

typedef enum { GZIP, ZSTD, BROTLI } Coding;

typedef struct {
    const char *name;
    Coding coding;
    // Logarithms to base 2, 0 for the value of the level. zlib's window is always 32 KiB.
    int level, window, hash, chain;
    z_stream zlib;
    ZSTD_CCtx *zstd;
    size_t bytes, storage;
    double seconds;
} Setting;

static Setting settings[] = {
    {"gzip 1 *", GZIP, 1, 0, 0, 0},
    {"gzip 6", GZIP, 6, 0, 0, 0},
    {"zstd 1, window 256 KiB", ZSTD, 1, 18, 0, 0},
    {"zstd 3, window 128 KiB", ZSTD, 3, 17, 0, 0},
    {"zstd 3, window 256 KiB", ZSTD, 3, 18, 0, 0},
    {"zstd 3, 256 KiB, small tables *", ZSTD, 3, 18, 14, 13},
    {"br 1, window 64 KiB", BROTLI, 1, 16, 0, 0},
    {"br 2, window 64 KiB *", BROTLI, 2, 16, 0, 0},
    {"br 2, window 256 KiB", BROTLI, 2, 18, 0, 0},
    {"br 3, window 64 KiB", BROTLI, 3, 16, 0, 0},
    {"br 4, window 64 KiB", BROTLI, 4, 16, 0, 0},
    {"br 5, window 64 KiB", BROTLI, 5, 16, 0, 0},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static unsigned char document[MAX_DOCUMENT_BYTES], coded[2 * MAX_DOCUMENT_BYTES];

static size_t allocated, most_allocated;

static void *count_allocation(void *unused, size_t size) {
    (void)unused;
    size_t *block = malloc(size + 2 * sizeof(size_t));
    if (!block) exit(1);
    *block = size;
    allocated += size;
    if (allocated > most_allocated) most_allocated = allocated;
    return block + 2;
}

static void *count_zlib_allocation(void *unused, uInt items, uInt size) { return count_allocation(unused, (size_t)items * size); }

static void count_release(void *unused, void *address) {
    (void)unused;
    if (!address) return;
    size_t *block = (size_t *)address - 2;
    allocated -= *block;
    free(block);
}

static void require(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "codings: %s\n", what);
    exit(1);
}

static void prepare(Setting *setting) {
    if (setting->coding == GZIP) {
        allocated = most_allocated = 0;
        setting->zlib.zalloc = count_zlib_allocation;
        setting->zlib.zfree = count_release;
        require(deflateInit2(&setting->zlib, setting->level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
        setting->storage = most_allocated;
    } else if (setting->coding == ZSTD) {
        setting->zstd = ZSTD_createCCtx();
        require(setting->zstd != NULL, "zstd");
        ZSTD_CCtx_setParameter(setting->zstd, ZSTD_c_compressionLevel, setting->level);
        ZSTD_CCtx_setParameter(setting->zstd, ZSTD_c_windowLog, setting->window);
        ZSTD_CCtx_setParameter(setting->zstd, ZSTD_c_hashLog, setting->hash);
        ZSTD_CCtx_setParameter(setting->zstd, ZSTD_c_chainLog, setting->chain);
    }
}

static size_t encode_zlib(z_stream *stream, size_t count) {
    deflateReset(stream);
    stream->next_in = document;
    stream->avail_in = (uInt)count;
    stream->next_out = coded;
    stream->avail_out = sizeof coded;
    require(deflate(stream, Z_NO_FLUSH) == Z_OK && deflate(stream, Z_FINISH) == Z_STREAM_END, "deflate");
    return stream->total_out;
}

static size_t encode_zstd(ZSTD_CCtx *context, size_t count) {
    ZSTD_CCtx_reset(context, ZSTD_reset_session_only);
    ZSTD_inBuffer input = {document, count, 0};
    ZSTD_outBuffer output = {coded, sizeof coded, 0};
    while (input.pos < count) require(!ZSTD_isError(ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue)), "zstd");
    require(ZSTD_compressStream2(context, &output, &input, ZSTD_e_end) == 0, "the end of zstd's frame");
    return output.pos;
}

static size_t encode_brotli(Setting *setting, size_t count, int counts) {
    BrotliEncoderState *state = counts ? BrotliEncoderCreateInstance(count_allocation, count_release, NULL)
                                       : BrotliEncoderCreateInstance(NULL, NULL, NULL);
    BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, (uint32_t)setting->level);
    BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, (uint32_t)setting->window);
    size_t left = count, room = sizeof coded;
    const uint8_t *input = document;
    uint8_t *output = coded;
    while (left) require(BrotliEncoderCompressStream(state, BROTLI_OPERATION_PROCESS, &left, &input, &room, &output, NULL), "brotli");
    while (!BrotliEncoderIsFinished(state))
        require(BrotliEncoderCompressStream(state, BROTLI_OPERATION_FINISH, &left, &input, &room, &output, NULL), "brotli's end");
    BrotliEncoderDestroyInstance(state);
    return sizeof coded - room;
}

static size_t encode(Setting *setting, size_t count, int counts) {
    switch (setting->coding) {
    case GZIP: return encode_zlib(&setting->zlib, count);
    case ZSTD: return encode_zstd(setting->zstd, count);
    case BROTLI: return encode_brotli(setting, count, counts);
    }
    return 0;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void measure(const char *name, size_t count) {
    for (Setting *setting = settings; setting < settings + SETTINGS; setting++) {
        allocated = most_allocated = 0;
        setting->bytes = encode(setting, count, 1);
        if (setting->coding == ZSTD) setting->storage = ZSTD_sizeof_CCtx(setting->zstd);
        if (setting->coding == BROTLI) setting->storage = most_allocated;
        setting->seconds = 1e9;
    }
    int repeats = (int)(SAMPLE_BYTES / (count + 2000)) + 1;
    for (int round = 0; round < ROUNDS; round++) {
        for (Setting *setting = settings; setting < settings + SETTINGS; setting++) {
            double begin = seconds();
            for (int index = 0; index < repeats; index++) encode(setting, count, 0);
            double each = (seconds() - begin) / repeats;
            if (each < setting->seconds) setting->seconds = each;
        }
    }
    printf("%s, %zu bytes\n%-32s %9s %6s %9s %7s %8s\n", name, count, "", "bytes", "%", "us", "x gzip", "KiB");
    for (Setting *setting = settings; setting < settings + SETTINGS; setting++)
        printf("%-32s %9zu %6.1f %9.1f %7.2f %8zu\n", setting->name, setting->bytes,
            100.0 * (double)setting->bytes / (double)count, setting->seconds * 1e6,
            setting->seconds / settings[0].seconds, setting->storage >> 10);
}

int main(int count, char **files) {
    for (Setting *setting = settings; setting < settings + SETTINGS; setting++) prepare(setting);
    for (int index = 1; index < count; index++) {
        FILE *file = fopen(files[index], "rb");
        require(file != NULL, files[index]);
        size_t size = fread(document, 1, sizeof document, file);
        fclose(file);
        const char *slash = strrchr(files[index], '/');
        measure(slash ? slash + 1 : files[index], size);
    }
    puts("* what the server uses");
}
