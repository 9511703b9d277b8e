/* Compressing and decompressing by zlib and libzstd. */
#include "files/compression.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#if defined CRUX_ZSTD
#include <zstd.h>
#endif

#include "base/library.h"

/* The functions of the two libraries that are used. */
#define ZLIB(ROW) ROW(inflateInit2_) ROW(inflate) ROW(inflateReset) ROW(inflateEnd) ROW(deflateInit2_) ROW(deflate) ROW(deflateEnd)
#define ZSTD(ROW) ROW(ZSTD_createDStream) ROW(ZSTD_decompressStream) ROW(ZSTD_freeDStream) ROW(ZSTD_createCStream) \
	ROW(ZSTD_compressStream2) ROW(ZSTD_freeCStream) ROW(ZSTD_isError)
#define FIELD(name) __typeof__(name) *name;
#define ROW_OF(name) {#name, &l->name},

typedef struct libraries {
	ZLIB(FIELD)
#if defined CRUX_ZSTD
	ZSTD(FIELD)
#endif
} libraries;

struct crux_compression {
	crux_compression_kind kind;
	bool decompresses;
	bool is_between; /* decompressing: at the end of a part, where the file may end */
	libraries of;
	z_stream z;
	void *zstd;
};

crux_compression_kind crux_compression_of(const char *path)
{
	const char *const ending = strrchr(path, '.');
	return !ending ? CRUX_PLAIN : strcmp(ending, ".gz") == 0 ? CRUX_GZIP : strcmp(ending, ".zst") == 0 ? CRUX_ZSTD_KIND : CRUX_PLAIN;
}

static bool start_gzip(crux_compression *c, crux_fault *fault)
{
	enum { GZIP_WINDOW = 15 + 16, ANY_WINDOW = 15 + 32, MEMORY_LEVEL = 8 }; /* any: gzip's or zlib's header */
	libraries *const l = &c->of;
	crux_library_function const functions[] = { ZLIB(ROW_OF) };
	if (!crux_library_load("libz.so.1", functions, sizeof functions / sizeof *functions)) {
		crux_fault_set(fault, "found no libz.so.1");
		return false;
	}
	int const status = c->decompresses ? l->inflateInit2_(&c->z, ANY_WINDOW, ZLIB_VERSION, sizeof c->z)
		: l->deflateInit2_(&c->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof c->z);
	if (status != Z_OK)
		crux_fault_set(fault, "out of memory");
	return status == Z_OK;
}

static bool start_zstd(crux_compression *c, crux_fault *fault)
{
#if defined CRUX_ZSTD
	libraries *const l = &c->of;
	crux_library_function const functions[] = { ZSTD(ROW_OF) };
	if (!crux_library_load("libzstd.so.1", functions, sizeof functions / sizeof *functions)) {
		crux_fault_set(fault, "found no libzstd.so.1");
		return false;
	}
	c->zstd = c->decompresses ? (void *)l->ZSTD_createDStream() : (void *)l->ZSTD_createCStream();
	if (!c->zstd)
		crux_fault_set(fault, "out of memory");
	return c->zstd != NULL;
#else
	(void)c;
	crux_fault_set(fault, "found a file of zstd, which this crux was built without, expected another, such as .gz");
	return false;
#endif
}

crux_compression *crux_compression_new(crux_compression_kind kind, bool decompresses, crux_fault *fault)
{
	crux_compression *const c = calloc(1, sizeof *c);
	if (!c) {
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	c->decompresses = decompresses;
	if (kind == CRUX_GZIP ? start_gzip(c, fault) : start_zstd(c, fault)) {
		c->kind = kind;
		return c;
	}
	free(c);
	return NULL;
}

void crux_compression_free(crux_compression *c)
{
	if (!c)
		return;
	if (c->kind == CRUX_GZIP)
		(c->decompresses ? c->of.inflateEnd : c->of.deflateEnd)(&c->z);
#if defined CRUX_ZSTD
	if (c->kind == CRUX_ZSTD_KIND && c->decompresses)
		c->of.ZSTD_freeDStream(c->zstd);
	else if (c->kind == CRUX_ZSTD_KIND)
		c->of.ZSTD_freeCStream(c->zstd);
#endif
	free(c);
}

static ssize_t run_gzip(crux_compression *c, const char **in, size_t *left, bool is_last, char *out, size_t room)
{
	uInt const given = *left > INT_MAX ? INT_MAX : (uInt)*left, space = room > INT_MAX ? INT_MAX : (uInt)room;
	c->z.next_in = (z_const Bytef *)(uintptr_t)*in; /* zlib does not write to it */
	c->z.avail_in = given;
	c->z.next_out = (Bytef *)out;
	c->z.avail_out = space;
	int status = Z_OK;
	if (!c->decompresses)
		status = c->of.deflate(&c->z, is_last ? Z_FINISH : Z_NO_FLUSH);
	while (c->decompresses && c->z.avail_in > 0 && c->z.avail_out > 0 && status == Z_OK) {
		status = c->of.inflate(&c->z, Z_NO_FLUSH);
		c->is_between = status == Z_STREAM_END;
		if (status == Z_STREAM_END) /* another part may follow */
			status = c->of.inflateReset(&c->z);
	}
	if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
		return -1;
	*in += given - c->z.avail_in;
	*left -= given - c->z.avail_in;
	return (ssize_t)(space - c->z.avail_out);
}

static ssize_t run_zstd(crux_compression *c, const char **in, size_t *left, bool is_last, char *out, size_t room)
{
#if defined CRUX_ZSTD
	ZSTD_inBuffer input = { *in, *left, 0 };
	ZSTD_outBuffer output = { out, room, 0 };
	size_t const result = c->decompresses ? c->of.ZSTD_decompressStream(c->zstd, &output, &input)
		: c->of.ZSTD_compressStream2(c->zstd, &output, &input, is_last ? ZSTD_e_end : ZSTD_e_continue);
	if (c->of.ZSTD_isError(result))
		return -1;
	if (input.pos > 0 || output.pos > 0)
		c->is_between = result == 0;
	*in += input.pos;
	*left -= input.pos;
	return (ssize_t)output.pos;
#else
	(void)c, (void)in, (void)left, (void)is_last, (void)out, (void)room;
	return -1; /* not reached: no object was made */
#endif
}

bool crux_compression_is_complete(const crux_compression *c) { return c->is_between; }

ssize_t crux_compression_run(crux_compression *c, const char **in, size_t *left, bool is_last, char *out, size_t room, crux_fault *fault)
{
	ssize_t const written = (c->kind == CRUX_GZIP ? run_gzip : run_zstd)(c, in, left, is_last, out, room);
	if (written < 0)
		crux_fault_set(fault, c->decompresses ? "found damaged data, expected those of a compressed file" : "cannot be compressed");
	return written;
}

enum { RAW_SIZE = 1 << 16 };

struct crux_compressed_file {
	crux_compression_kind kind;
	int file;
	crux_compression *stream;
	const char *in; /* in raw */
	size_t left;
	off_t raw_at, at; /* offsets in the file and in the text */
	char raw[RAW_SIZE];
};

void crux_compressed_file_free(crux_compressed_file *f)
{
	if (f)
		crux_compression_free(f->stream);
	free(f);
}

static bool rewind_file(crux_compressed_file *f, crux_fault *fault)
{
	crux_compression_free(f->stream);
	f->left = 0;
	f->raw_at = f->at = 0;
	f->stream = crux_compression_new(f->kind, true, fault);
	return f->stream != NULL;
}

crux_compressed_file *crux_compressed_file_new(crux_compression_kind kind, int file, crux_fault *fault)
{
	crux_compressed_file *const f = calloc(1, sizeof *f);
	if (!f) {
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	f->kind = kind;
	f->file = file;
	if (rewind_file(f, fault))
		return f;
	crux_compressed_file_free(f);
	return NULL;
}

/* Reads on from f->at. */
static ssize_t read_on(crux_compressed_file *f, char *out, size_t size, crux_fault *fault)
{
	for (;;) {
		if (f->left == 0) {
			ssize_t got;
			do
				got = pread(f->file, f->raw, RAW_SIZE, f->raw_at);
			while (got < 0 && errno == EINTR);
			if (got < 0) {
				crux_fault_set(fault, "cannot be read: %s", strerror(errno));
				return -1;
			}
			f->in = f->raw;
			f->left = (size_t)got;
			f->raw_at += got;
		}
		bool const is_end = f->left == 0;
		ssize_t const written = crux_compression_run(f->stream, &f->in, &f->left, false, out, size, fault);
		if (written == 0 && is_end && !f->stream->is_between) {
			crux_fault_set(fault, "found the end inside compressed data, expected the rest");
			return -1;
		}
		f->at += written > 0 ? written : 0;
		if (written != 0 || is_end)
			return written;
	}
}

ssize_t crux_compressed_file_read(crux_compressed_file *f, char *out, size_t size, off_t offset, crux_fault *fault)
{
	if (offset < f->at && !rewind_file(f, fault))
		return -1;
	while (f->at < offset) {
		size_t const wanted = (size_t)(offset - f->at) < size ? (size_t)(offset - f->at) : size;
		ssize_t const got = read_on(f, out, wanted, fault);
		if (got <= 0)
			return got;
	}
	return read_on(f, out, size, fault);
}
