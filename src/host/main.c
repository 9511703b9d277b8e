/* crux, whose workers are threads. */
#include "host/command_line.h"

int main(int argc, char **argv) { return crux_command_line_run(argc, argv, NULL); }
