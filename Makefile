# crux: rates how hard puzzle levels are. `make help` lists the targets.

CC ?= cc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
LUA_MODULES ?= $(LIBDIR)/lua/5.4
LUA_CFLAGS ?= -I/usr/include/lua5.4
LUA_LIBS ?= -llua5.4-lpeg -llua5.4

# Debian packages: to build and run; to test; to lint; to fuzz.
packages := libc6-dev liblua5.4-dev lua-lpeg-dev libcsv-dev lua-argparse libncurses-dev coinor-libclp-dev libcminpack-dev libnlopt-dev libxxhash-dev
test_packages := lua-unit
lint_packages := lua-check

fuzz_packages := clang libclang-rt-14-dev

# The sanitizers' builds live in folders of their own, so that all stay up to date.
ifneq ($(filter test-sanitize,$(MAKECMDGOALS)),)
build := build/sanitize
output := $(build)/
sanitizers := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
else ifneq ($(filter test-threads,$(MAKECMDGOALS)),)
build := build/threads
output := $(build)/
sanitizers := -fsanitize=thread -fno-omit-frame-pointer
else ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
CC := clang
build := build/fuzz
output := $(build)/
sanitizers := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer \
  -Wno-unknown-pragmas
else
build := build
endif
program := $(output)crux
archive := $(output)libcrux.a
shared := $(output)libcrux.so
plugin := $(output)crux.so
# Open MPI is optional: without it there is no crux-mpi.
mpi_program := $(if $(shell command -v mpicc),$(output)crux-mpi)

# So is libseccomp: without it there is no second wall around scripts (SECURITY.md).
seccomp := $(wildcard /usr/include/seccomp.h)

flags := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
  -Werror -fPIC -fvisibility=hidden -pthread -MMD -MP -Isrc -DCRUX_DATADIR='"$(DATADIR)"' $(LUA_CFLAGS) $(sanitizers) $(CFLAGS)
libraries := $(LUA_LIBS) -lcsv -lncursesw -lcminpack -lnlopt -lxxhash -lm -ldl -pthread

programs := src/host/main.c src/host/command_line.c $(wildcard src/host/mpi_*.c)
objects := $(patsubst src/%.c,$(build)/%.o,$(filter-out $(programs) src/host/plugin_lua.c,$(wildcard src/*/*.c)))
plugin_objects := $(filter-out $(build)/host/engine_new.o,$(objects)) $(build)/host/plugin_lua.o
mpi_objects := $(patsubst src/%.c,$(build)/%.o,$(wildcard src/host/mpi_*.c))
tests := $(patsubst tests/c/%.c,$(build)/tests/%,$(wildcard tests/c/*.c tests/c/*/*.c))

all: $(program) $(mpi_program) $(archive) $(shared) $(plugin) ## build ./crux, ./crux-mpi if Open MPI is there, libcrux.a, libcrux.so, and crux.so for Lua
	$(if $(mpi_program),,@echo "crux-mpi: skipped, as libopenmpi-dev is not installed")
	$(if $(seccomp),,@echo "the wall of system calls: skipped, as libseccomp-dev is not installed")

demo: all ## set up what is missing, build, reproduce the published study, rate a few levels
	@examples/demo.sh

test: $(tests) $(program) $(mpi_program) $(shared) $(plugin) ## set up what is missing, build, run the whole suite
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/run.sh $(build)

test-sanitize: export ASAN_OPTIONS := allocator_may_return_null=1
test-sanitize: test ## the suite under the address and undefined-behaviour sanitizers

test-threads: $(build)/tests/host/workers_test $(program) ## command lines of every game with four jobs, under the thread sanitizer
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/threads.sh $(build)

test-valgrind: $(build)/tests/pseudo_terminal $(program) ## each command once under valgrind, if that is installed
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/valgrind.sh $(build)

TIME ?= 60
fuzz: $(patsubst tests/fuzz/%.lua,$(build)/%,$(wildcard tests/fuzz/*_fuzz.lua)) ## fuzz each parser for TIME seconds, under the sanitizers
	@for fuzzer in $^; do name=$$(basename $$fuzzer); echo "$$name:"; \
	  mkdir -p $$fuzzer.seeds $$fuzzer.corpus && \
	  csplit -szf $$fuzzer.seeds/ --suppress-matched tests/fuzz/$$name.seeds '/^%%$$/' '{*}' && \
	  CRUX_HOME=$(CURDIR) $$fuzzer -max_total_time=$(TIME) -timeout=10 -close_fd_mask=1 -print_final_stats=1 \
	    -dict=tests/fuzz/$$name.dict -artifact_prefix=$$fuzzer. $$fuzzer.corpus $$fuzzer.seeds || exit 1; \
	done

lint: packages ## set up what is missing, check the Lua files with luacheck
	luacheck -q lua games rules tests examples docs

bench: $(build)/bench $(build)/data_bench $(program) ## time crux against plain C and others
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/move_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/dungeongrams_bench.lua $(LEVELS)
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/flow_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/lazors_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/generator_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/scaling_bench.lua $(if $(LEVELS),dungeongrams $(LEVELS))
	CRUX_HOME=$(CURDIR) $(build)/data_bench ./$(program) tests/bench/data

.PHONY: docs
docs: $(build)/tests/lua_host $(program) ## generate the pages and the picture of docs/ that show what the code says
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< docs/generate.lua
	./$(program) plot predicted --formula 'difficulty ~ size + colours + corners' --weights solved datasets/flow.csv -o docs/pictures/predicted.svg

clean: ## remove everything that was built
	rm -rf build crux crux-mpi crux.so libcrux.a libcrux.so

include install.mk

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile install.mk | awk -F': ' '{ printf "make %-14s %s\n", $$1, $$2 }'

$(program): $(build)/host/main.o $(build)/host/command_line.o $(archive)
	$(CC) $(sanitizers) $(LDFLAGS) -o $@ $^ $(libraries)

$(output)crux-mpi: $(mpi_objects) $(build)/host/command_line.o $(archive)
	$(CC) $(sanitizers) $(LDFLAGS) -o $@ $^ $(libraries) $(shell mpicc --showme:link)

$(mpi_objects): flags += $(patsubst -I%,-isystem %,$(shell mpicc --showme:compile))

$(archive): $(objects)
	rm -f $@
	$(AR) rcs $@ $^

$(shared): $(objects) $(build)/crux.map
	$(CC) $(link_shared) -o $@ $(objects) $(libraries)

# What it calls of Lua is in the program that loads it.
$(plugin): $(plugin_objects) $(build)/plugin.map
	$(CC) $(link_shared) -o $@ $(plugin_objects) $(filter-out $(LUA_LIBS),$(libraries))

# What others may call: hidden visibility does not reach functions that are compiled for several processors (src/base/clones.h).
link_shared = -shared $(sanitizers) $(LDFLAGS) -Wl,--version-script=$(filter %.map,$^)

$(build)/crux.map: src/crux.h
	@mkdir -p $(@D)
	@sed -n 's/^CRUX_API.*\(crux_[a-z_]*\)(.*/\1;/p' $< | (echo '{ global:'; cat; echo 'local: *; };') > $@

$(build)/plugin.map:
	@mkdir -p $(@D)
	@echo '{ global: luaopen_crux; local: *; };' > $@

$(build)/%.o: src/%.c | packages
	@mkdir -p $(@D)
	$(CC) $(flags) -c -o $@ $<

$(build)/tests/%: tests/c/%.c $(archive) | packages
	@mkdir -p $(@D)
	$(CC) $(flags) -Itests/c $(LDFLAGS) -o $@ $< $(archive) $(libraries)

$(build)/bench: $(wildcard tests/bench/*.c tests/bench/*.h) $(archive) | packages
	$(CC) $(flags) $(LDFLAGS) -o $@ $(filter %.c,$^) $(archive) $(libraries)

$(build)/data_bench: tests/bench/data/data_bench.c $(archive) | packages
	$(CC) $(flags) $(LDFLAGS) -o $@ $< $(archive) $(libraries)

$(build)/%_fuzz: tests/fuzz/harness.c $(archive) | packages
	$(CC) $(flags) -DFUZZER='"$(@F)"' -fsanitize=fuzzer $(LDFLAGS) -o $@ $< $(archive) $(libraries)

wrap := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=aligned_alloc
$(build)/tests/host/allocation_test: LDFLAGS += $(wrap)
$(build)/tests/host/command_allocation_test: $(build)/host/command_line.o
$(build)/tests/host/command_allocation_test: flags += -fvisibility=default # its malloc is that of all libraries
$(build)/tests/host/command_allocation_test: LDFLAGS += $(if $(sanitizers),$(wrap)) $(build)/host/command_line.o

# Their loops are to be vectorised.
$(build)/trace/program.o $(build)/search/coins.o $(build)/fit/gram.o: flags += -O3

$(build)/limits/wall.o: flags += $(if $(seccomp),-DCRUX_SECCOMP)

# Names the packages that are missing; installs them for the targets that promise to set everything up.
packages:
	@command -v dpkg-query > /dev/null || exit 0; \
	missing=$$(command -v $(firstword $(CC)) > /dev/null || echo gcc); \
	for package in $(filter-out $(if $(filter plugin install-plugin,$(MAKECMDGOALS)),lua% liblua%),$(packages)) $(if $(filter test test-sanitize,$(MAKECMDGOALS)),$(test_packages)) \
	    $(if $(filter lint,$(MAKECMDGOALS)),$(lint_packages)) $(if $(filter fuzz,$(MAKECMDGOALS)),$(fuzz_packages)); do \
	  dpkg-query -W -f '$${db:Status-Status}' $$package 2> /dev/null | grep -qx installed || missing="$$missing $$package"; \
	done; \
	missing=$$(echo $$missing); test -z "$$missing" && exit 0; \
	root=$$(test $$(id -u) = 0 || echo sudo); \
	install="$$root apt-get install -y --no-install-recommends $$missing"; \
	if test -z "$(filter demo fuzz lint test test-sanitize,$(MAKECMDGOALS))"; then \
	  echo "crux needs packages that are not installed: $$missing"; \
	  echo "install them with: $$install"; exit 1; \
	fi; \
	echo "crux needs packages that are not installed; installing them: $$install"; \
	export DEBIAN_FRONTEND=noninteractive; $$root apt-get -q update && $$install

.PHONY: all bench demo fuzz install lint test test-installed test-sanitize test-threads test-valgrind clean help packages plugin uninstall

-include $(wildcard $(build)/*/*.d $(build)/tests/*/*.d)
