# crux: rates how hard puzzle levels are. `make help` lists the targets.

# As many files at a time as there are processors, unless make is told another number or several goals, such as clean and all.
processors := $(shell getconf _NPROCESSORS_ONLN)
ifeq ($(MAKELEVEL)$(word 2,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(processors)
endif

CC ?= cc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
LUA_MODULES ?= $(LIBDIR)/lua/5.4
PYTHON_MODULES ?= $(PREFIX)/lib/python3/dist-packages
# The system to build for: its file of src/port, and how programs are built there.
port := $(if $(filter Darwin,$(or $(SYSTEM),$(shell uname))),macos,linux)

# The builds with sanitizers and for coverage have folders of their own, so that each stays up to date.
ifneq ($(filter test-sanitize,$(MAKECMDGOALS)),)
build := build/sanitize
output := $(build)/
sanitizers := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
else ifneq ($(filter test-threads,$(MAKECMDGOALS)),)
build := build/threads
output := $(build)/
sanitizers := -fsanitize=thread -fno-omit-frame-pointer
else ifneq ($(filter coverage,$(MAKECMDGOALS)),)
build := build/coverage
output := $(build)/
sanitizers := --coverage
else ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
CC := clang
build := build/fuzz
output := $(build)/
sanitizers := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer
else ifneq ($(filter build-clang,$(MAKECMDGOALS)),)
CC := clang
build := build/clang
output := $(build)/
else
build := build
endif
program := $(output)crux
archive := $(output)libcrux.a
plugin := $(output)crux.so

include $(port).mk
include packages.mk
shared := $(output)$(call library_file)
header = $(firstword $(wildcard $(addsuffix /$(1),$(headers))))

# Open MPI is optional: without it there is no crux-mpi.
mpi_program := $(if $(shell command -v mpicc),$(output)crux-mpi)

# libseccomp is optional: without it there is no wall of system calls around scripts (SECURITY.md).
# The build for coverage has none, as a program behind it could not write its counts.
seccomp := $(if $(filter --coverage,$(sanitizers)),,$(call header,seccomp.h))

# libzstd is optional: without it .csv.zst is neither read nor written.
zstd := $(call header,zstd.h)

# libexpat is optional: without it maps in XML are not read.
expat := $(call header,expat.h)

# libpng is optional: without it pictures are not read as levels.
png := $(call header,png.h)

# libmicrohttpd and SQLite are optional: without them there is no server of studies (docs/serve.md).
serve := $(and $(call header,microhttpd.h),$(call header,sqlite3.h))

# Builds without sanitizers are hardened, and have the same bytes in every folder. _FORTIFY_SOURCE needs optimised code.
release := $(if $(sanitizers),,-ffile-prefix-map=$(CURDIR)=. -fstack-protector-strong \
  $(if $(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS)))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) \
  $(if $(filter x86_64% i686%,$(shell $(CC) -dumpmachine)),-fcf-protection))
# Assertions, of what only a mistake of crux can break, are checked in builds with sanitizers and with WERROR.
flags := $(if $(or $(sanitizers),$(WERROR)),,-DNDEBUG) -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
  -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror) -fPIC -fvisibility=hidden -pthread -MMD -MP -Isrc -DCRUX_DATADIR='"$(DATADIR)"' $(if $(serve),-DCRUX_SERVE) $(LUA_CFLAGS) $(system_flags) $(sanitizers) $(CPPFLAGS) $(release) $(CFLAGS)
link = $(CC) $(hardening) $(LDFLAGS)

# The files of src/port for other systems.
foreign := $(filter-out src/port/$(port).c,$(wildcard src/port/*.c))
programs := $(foreign) src/host/main.c src/host/command_line.c src/host/page.c src/host/compile_modules.c $(wildcard src/host/mpi_*.c)
library := $(patsubst src/%.c,$(build)/%.o,$(filter-out $(programs) src/host/plugin_lua.c $(if $(serve),,src/serve/%),$(sort $(wildcard src/*/*.c))))
objects := $(library) $(build)/host/compiled_modules.o
modules := $(filter-out %_probe.lua,$(sort $(wildcard lua/crux/*/*.lua lua/crux/*/*/*.lua))) \
  $(firstword $(wildcard $(foreach prefix,$(homebrew) /usr/local /usr,$(prefix)/share/lua/5.4/argparse.lua)))
plugin_objects := $(filter-out $(build)/host/engine_new.o,$(objects)) $(build)/host/plugin_lua.o
mpi_objects := $(patsubst src/%.c,$(build)/%.o,$(wildcard src/host/mpi_*.c))
analysed := $(patsubst src/%.c,$(build)/%.analysed,$(filter-out $(if $(serve),,src/serve/%) $(if $(mpi_program),,src/host/mpi_%) $(foreign),$(wildcard src/*/*.c)))
tests := $(patsubst tests/c/%.c,$(build)/tests/%,$(shell find tests/c -name '*.c'))

all: $(program) $(mpi_program) $(archive) $(shared) $(plugin) types/crux.lua ## build ./crux, ./crux-mpi if Open MPI is there, libcrux.a, libcrux.so, and crux.so for Lua
	$(if $(mpi_program),,@echo "crux-mpi: skipped, as libopenmpi-dev is not installed")
	$(if $(serve),,@echo "crux serve: skipped, as libmicrohttpd-dev or libsqlite3-dev is not installed")
	$(if $(zstd),,@echo "files of zstd: skipped, as libzstd-dev is not installed")
	$(if $(expat),,@echo "maps in XML: skipped, as libexpat1-dev is not installed")
	$(if $(png),,@echo "levels in pictures: skipped, as libpng-dev is not installed")
	$(if $(seccomp),,@echo "the wall of system calls: skipped, as libseccomp-dev is not installed")

build-clang: all $(tests) $(build)/bench $(build)/data_bench $(build)/editor ## all programs, also those of the tests, by clang

demo: all ## install missing packages, build, reproduce the published study, rate a few levels
	@examples/demo.sh

test: $(tests) $(program) $(mpi_program) $(shared) $(plugin) types/crux.lua ## install missing packages, build, run the tests
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/run.sh $(build)

test-long: export CRUX_TEST_LONG := 1
test-long: test ## the tests with long loops and long runs

# Few frames and little freed memory are kept, which takes a fifth of the time out.
test-sanitize: export ASAN_OPTIONS := allocator_may_return_null=1:malloc_context_size=6:quarantine_size_mb=16
test-sanitize: export CRUX_TEST_MORE := 1
test-sanitize: test ## the tests under the address and undefined-behaviour sanitizers

test-browser: export CRUX_TEST_BROWSER := 1
test-browser: all $(build)/tests/lua_host ## studies and reports in a headless Chromium
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/run.sh $(build) tests/serve/every_game_test.lua tests/serve/browser_test.lua tests/workbench/views_test.lua tests/workbench/level_view_test.lua tests/cli/report_test.lua

coverage: export CRUX_COVERAGE := $(CURDIR)/$(build)/lua_lines
coverage: $(build)/lua_lines.so $(tests) $(program) $(mpi_program) $(shared) $(plugin) types/crux.lua ## the share of the lines of C and Lua that make test runs, and the files below 80 %
	-@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/run.sh $(build)
	@lua5.4 tests/coverage.lua $(build) $(CRUX_COVERAGE)
	@rm -f $(CRUX_COVERAGE) $(build)/*/*.gcda

test-threads: $(build)/tests/host/workers_test $(program) ## command lines of every game with four jobs, under the thread sanitizer
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/threads.sh $(build)

test-valgrind: $(build)/tests/pseudo_terminal $(build)/editor $(program) ## each command and the example editor.c once under valgrind, if that is installed
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/valgrind.sh $(build)

test-bare: ## the two commands of the README in bare Debians that debootstrap makes, with the optional packages and without
	@tests/bare.sh

TIME ?= 60
# libFuzzer would look for leaks after each input that allocates more than it frees, as most do where Lua collects later. That took more
# than nine tenths of the time: leaks are looked for at the end alone.
fuzz: export ASAN_OPTIONS := allocator_may_return_null=1:max_allocation_size_mb=1000:malloc_context_size=6:quarantine_size_mb=16
fuzz: $(patsubst tests/fuzz/%.seeds,$(build)/%,$(wildcard tests/fuzz/$(or $(NAME),*)_fuzz.seeds)) ## run all fuzzers, or that of a NAME, for TIME seconds each, under the sanitizers
	@for fuzzer in $^; do name=$$(basename $$fuzzer); echo "$$name:"; \
	  mkdir -p $$fuzzer.seeds $$fuzzer.corpus && \
	  csplit -szf $$fuzzer.seeds/ --suppress-matched tests/fuzz/$$name.seeds '/^%%$$/' '{*}' && \
	  CRUX_HOME=$(CURDIR) $$fuzzer -max_total_time=$(TIME) -timeout=10 -detect_leaks=0 -close_fd_mask=1 -print_final_stats=1 \
	    -dict=tests/fuzz/$$name.dict -artifact_prefix=$$fuzzer. $$fuzzer.corpus $$fuzzer.seeds || exit 1; \
	done

# cppcheck does not see that a loop runs at least once, so that a sum is above 0 where its logarithm is taken (invalidFunctionArg).
analyse: $(analysed) ## install missing packages, look for faults in src with clang's analyser and cppcheck
	cppcheck -q -j$(processors) --error-exitcode=1 --enable=warning,portability --suppress=invalidFunctionArg --std=c11 --platform=unix64 \
	  -Isrc -DCRUX_SERVE -DCRUX_SECCOMP '-Dassert(c)=if(!(c))abort()' src

$(analysed): $(build)/%.analysed: src/%.c | packages
	clang --analyze -Xclang -analyzer-werror --analyzer-output text $(filter-out -DNDEBUG -MMD -MP,$(flags)) $<

lint: packages ## install missing packages, check the Lua files with luacheck
	luacheck -q lua games rules templates tests examples docs

bench: $(build)/bench $(build)/data_bench $(build)/editor $(program) ## time crux against plain C and others
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/move_bench.lua
	CRUX_HOME=$(CURDIR) $< tests/bench/small_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/dungeongrams_bench.lua $(LEVELS)
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/rushhour_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/collection_bench.lua
	CRUX_HOME=$(CURDIR) $< tests/bench/newcomers_bench.lua
	CRUX_HOME=$(CURDIR) $< tests/bench/step_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/flow_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/lazors_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/sudoku_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/generator_bench.lua
	CRUX_HOME=$(CURDIR) $< tests/bench/editor_bench.lua $(build)/editor
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/track_bench.lua
	CRUX_HOME=$(CURDIR) $< tests/bench/choice_bench.lua
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/scaling_bench.lua $(if $(LEVELS),dungeongrams $(LEVELS))
	CRUX_HOME=$(CURDIR) $(build)/data_bench ./$(program) tests/bench/data
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< tests/bench/data/rows_bench.lua

bench-workbench: $(build)/tests/lua_host $(program) ## time the page of crux workbench in chromium
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) CRUX_TEST_FOLDER=$$(mktemp -d) $< tests/bench/workbench_bench.lua

types/crux.lua: docs/lua-api.md docs/types.lua | $(build)/tests/lua_host
	@mkdir -p $(@D)
	@CRUX_HOME=$(CURDIR) $(build)/tests/lua_host docs/types.lua > $@ || { rm -f $@; exit 1; }

.PHONY: claims docs pictures
claims: all $(build)/bench $(build)/data_bench $(build)/editor $(build)/tests/lua_host $(build)/tests/pseudo_terminal ## print the figures that README.md and docs/ state (of one PAGE) beside those seen now
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) BUILD=$(build) $(build)/tests/lua_host tests/claims/run.lua $(PAGE)

docs: $(build)/tests/lua_host $(program) ## generate the pages and the picture of docs/ that show what the code says
	CRUX_HOME=$(CURDIR) CRUX=./$(program) $< docs/generate.lua
	./$(program) plot predicted --formula 'difficulty ~ moves + counterintuitive' --weights solved datasets/move.csv -o docs/pictures/predicted.svg

pictures: $(build)/tests/lua_host $(program) ## take the pictures of the workbench in docs/, with chromium
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) CRUX_TEST_FOLDER=$$(mktemp -d) $< docs/pictures.lua

clean: ## remove everything that was built
	rm -rf build crux crux-mpi crux.so libcrux.a $(call library_file) types

include install.mk
include wasm.mk
include cross.mk

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile install.mk wasm.mk cross.mk | awk -F': ' '{ printf "make %-14s %s\n", $$1, $$2 }'

$(program): $(build)/host/main.o $(build)/host/command_line.o $(archive) $(if $(findstring address,$(sanitizers)),tests/no_leaks.c)
	$(link) -pie -o $@ $^ $(libraries)

$(output)crux-mpi: $(mpi_objects) $(build)/host/command_line.o $(archive)
	$(link) -pie -o $@ $^ $(libraries) $(shell mpicc --showme:link)

$(mpi_objects) $(mpi_objects:.o=.analysed): flags += $(patsubst -I%,-isystem %,$(shell mpicc --showme:compile))

$(archive): $(objects)
	rm -f $@
	$(AR) $(archive_flags) $@ $^

$(shared): $(objects) $(build)/crux.map
	$(link_shared) -o $@ $(objects) $(libraries)

# It is not linked with Lua, as the program that loads it is.
$(plugin): $(plugin_objects) $(build)/plugin.map
	$(link_shared) $(plugin_link) -o $@ $(plugin_objects) $(filter-out $(LUA_LIBS),$(libraries))

link_shared = $(link) -shared $(call exported,$(filter %.map,$^))

$(build)/crux.map: src/crux.h
	@mkdir -p $(@D)
	@sed -n 's/^CRUX_API.*\(crux_[a-z_]*\)(.*/\1/p' $< | $(map) > $@

$(build)/plugin.map:
	@mkdir -p $(@D)
	@echo luaopen_crux | $(map) > $@

# All is compiled again by another compiler, with and without assertions, and when what is optional has come or gone.
$(build)/compiled_by: FORCE
	@mkdir -p $(@D); echo '$(CC) $(WERROR) $(serve) $(seccomp) $(zstd) $(expat) $(png)' | cmp -s - $@ || echo '$(CC) $(WERROR) $(serve) $(seccomp) $(zstd) $(expat) $(png)' > $@

$(build)/%.o: src/%.c Makefile $(build)/compiled_by | packages
	@mkdir -p $(@D)
	$(CC) $(flags) -c -o $@ $<

# `make plugin`, which LuaRocks calls, must not need a library of Lua to link with, so its table of compiled modules is empty.
compile_modules := $(if $(filter plugin install-plugin,$(MAKECMDGOALS)),,$(build)/compile_modules)
no_modules := '\#include "host/compiled_modules.h"\nconst crux_compiled_modules crux_engine_modules = {"", 0, NULL};\n'

$(build)/host/compiled_modules.c: $(compile_modules) $(modules)
	@mkdir -p $(@D)
	@$(or $(compile_modules:%=% $(modules)),printf $(no_modules)) > $@ || { rm -f $@; exit 1; }

$(build)/host/compiled_modules.o: $(build)/host/compiled_modules.c Makefile $(build)/compiled_by
	$(CC) $(flags) -c -o $@ $<

$(build)/compile_modules: $(build)/host/compile_modules.o $(build)/base/bytes.o
	$(link) -pie -o $@ $^ $(LUA_LIBS) -lxxhash

# A change of a Lua module alone rebuilds no test.
$(build)/tests/%: tests/c/%.c $(library) | $(archive) packages
	@mkdir -p $(@D)
	$(CC) $(flags) -Itests/c $(LDFLAGS) -o $@ $< $(archive) $(libraries)

$(build)/bench: $(wildcard tests/bench/*.c tests/bench/*.h) $(archive) | packages
	$(CC) $(flags) $(LDFLAGS) -o $@ $(filter %.c,$^) $(archive) $(libraries)

$(build)/editor: examples/editor.c $(archive) | packages
	$(CC) $(flags) $(LDFLAGS) -o $@ $< $(archive) $(libraries)

$(build)/data_bench: tests/bench/data/data_bench.c $(archive) | packages
	$(CC) $(flags) $(LDFLAGS) -o $@ $< $(archive) $(libraries)

$(build)/lua_lines.so: tests/support/lua_lines.c | packages
	@mkdir -p $(@D)
	$(CC) $(filter-out --coverage,$(flags)) -shared -o $@ $<

$(build)/%_fuzz: tests/fuzz/%_fuzz.c $(archive) | packages
	$(CC) $(flags) -fsanitize=fuzzer $(LDFLAGS) -o $@ $< $(archive) $(libraries)

$(build)/%_fuzz: tests/fuzz/harness.c $(archive) | packages
	$(CC) $(flags) -DFUZZER='"$(@F)"' -fsanitize=fuzzer $(LDFLAGS) -o $@ $< $(archive) $(libraries)

wrap := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=aligned_alloc
$(filter %/allocation_test,$(tests)): private LDFLAGS += $(wrap)
$(filter %/command_allocation_test,$(tests)): $(build)/host/command_line.o
$(filter %/command_allocation_test,$(tests)): private flags += -fvisibility=default # its malloc is that of all libraries
$(filter %/command_allocation_test,$(tests)): private LDFLAGS += $(if $(findstring address,$(sanitizers)),$(wrap)) $(build)/host/command_line.o

# When Clp runs out of memory, the frames of this file are unwound, too.
$(build)/fit/linear_program.o: flags += -fexceptions

# -O3 vectorises their loops.
$(build)/fit/cholesky.o $(build)/trace/program.o $(build)/search/coins.o $(build)/fit/ols.o $(build)/fit/sums.o: flags += -O3

# Its products and sums become fused instructions: half as many, and rounded once.
$(build)/fit/cholesky.o: flags += -ffp-contract=fast

$(build)/files/compression.o $(build)/files/compression.analysed: flags += $(if $(zstd),-DCRUX_ZSTD)
$(build)/files/xml_lua.o $(build)/files/xml_lua.analysed: flags += $(if $(expat),-DCRUX_EXPAT)
$(build)/files/png_lua.o $(build)/files/png_lua.analysed: flags += $(if $(png),-DCRUX_PNG)
$(build)/limits/wall.o $(build)/limits/wall.analysed: flags += $(if $(seccomp),-DCRUX_SECCOMP)

# Names missing packages.
packages:
	$(if $(strip $(missing)),@echo "crux needs packages that are not installed: $(strip $(missing))"; \
	  echo "install them with: $(install_missing)"; exit 1)

.PHONY: all analyse bench bench-workbench build-clang coverage deb demo dist fuzz install lint test test-bare test-browser test-installed test-long test-sanitize test-threads test-valgrind clean help packages plugin uninstall

-include $(wildcard $(build)/*/*.d $(tests:=.d))
