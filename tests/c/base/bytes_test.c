/* Bytes: reading files. */
#include "base/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

enum { SIZE = 100000 }; /* more than three blocks, and a part of one */

int main(void)
{
	const char *const folder = getenv("CRUX_TEST_FOLDER") ? getenv("CRUX_TEST_FOLDER") : "/tmp";
	char path[300];
	snprintf(path, sizeof path, "%s/bytes", folder);
	FILE *const file = fopen(path, "wb");
	for (int i = 0; file && i < SIZE; i++)
		putc(i % 251, file);
	CHECK(file && fclose(file) == 0);

	crux_bytes bytes = {0};
	CHECK(crux_bytes_read(&bytes, path) && bytes.size == SIZE);
	CHECK(crux_bytes_read(&bytes, path) && bytes.size == 2 * SIZE);
	bool holds = true;
	for (int i = 0; i < 2 * SIZE; i++)
		holds = holds && (unsigned char)bytes.data[i] == i % SIZE % 251;
	CHECK(holds);

	CHECK(!crux_bytes_read(&bytes, folder) && errno == EISDIR && bytes.data == NULL && bytes.size == 0);
	remove(path);
	CHECK(!crux_bytes_read(&bytes, path) && errno == ENOENT);
	return check_summary();
}
