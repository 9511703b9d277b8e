/* digest.c: XXH128 of texts and of files. */
#include "files/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

int main(void)
{
	static char text[200000];
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	char path[256], of_text[33], of_file[33];
	crux_fault fault;
	crux_digest("", 0, of_text);
	CHECK(strcmp(of_text, "99aa06d3014798d86001c324468d497f") == 0); /* the XXH3 reference: XXH128("", seed 0) */
	snprintf(path, sizeof path, "%s/digest_test.%d", folder ? folder : "/tmp", (int)getpid());
	memset(text, 'x', sizeof text);
	FILE *const file = fopen(path, "wb");
	CHECK(file && fwrite(text, sizeof text, 1, file) == 1 && fclose(file) == 0);
	crux_digest(text, sizeof text, of_text);
	CHECK(crux_digest_file(path, of_file, &fault) && strcmp(of_text, of_file) == 0);
	text[100000] = 'y';
	crux_digest(text, sizeof text, of_text);
	CHECK(strcmp(of_text, of_file) != 0);
	CHECK(!crux_digest_file("/", of_file, &fault) && strcmp(fault.message, "Is a directory") == 0);
	CHECK(!crux_digest_file("/nowhere", of_file, &fault) && strcmp(fault.message, "No such file or directory") == 0);
	remove(path);
	return check_summary();
}
