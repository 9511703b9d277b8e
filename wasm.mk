# crux as WebAssembly, in build/wasm: package/ is the package for npm, site/ the workbench as pages for any server. Debian's emscripten
# compiles crux and the libraries that it uses.

wasm := build/wasm
wasm_missing := $(strip $(if $(shell command -v emcc),,emscripten) $(if $(shell command -v f2c),,f2c) \
  $(if $(shell command -v node),,nodejs) $(if $(shell command -v dpkg-source),,dpkg-dev))
package := $(wasm)/package
wasm_products := $(addprefix $(package)/,crux.js crux-clp.js crux.data engine.js index.js index.d.ts cli.js package.json) $(addprefix $(wasm)/site/,workbench.html clp.js offline.js)

wasm: $(if $(wasm_missing),wasm-missing,$(wasm_products)) ## crux as WebAssembly, for browsers and node, in build/wasm

wasm-missing:
	@echo "crux as WebAssembly needs packages that are not installed: $(wasm_missing)"; \
	  echo "install them with: $(root) apt-get install -y --no-install-recommends $(wasm_missing)"; exit 1

# Debian's emcc finds its modules of node only by Debian's node.
emcc := NODE_PATH=/usr/share/nodejs emcc
wasm_jumps := -fwasm-exceptions -s SUPPORT_LONGJMP=wasm
wasm_code := -O2 -msimd128 -fwasm-exceptions -ffile-prefix-map=$(CURDIR)=.
wasm_clang := clang-14 @$(wasm)/flags $(wasm_code)
wasm_flags := -DNDEBUG -std=c11 -D_GNU_SOURCE -w -MMD -MP -Isrc -I$(wasm)/sources/include \
  -DCRUX_DATADIR='""' -DCRUX_NO_SCREEN
wasm_link := --js-library wasm/absent.js -s MODULARIZE=1 -s EXPORT_NAME=Crux -s INVOKE_RUN=0 -s EXIT_RUNTIME=1 -s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=4GB \
  -s TOTAL_STACK=8MB -s FORCE_FILESYSTEM=1 -s NODEJS_CATCH_EXIT=0 -s NODEJS_CATCH_REJECTION=0 -lnodefs.js -s ENVIRONMENT=node,web,worker \
  -s EXPORTED_RUNTIME_METHODS=FS,NODEFS,ENV,callMain,ccall,stringToUTF8,lengthBytesUTF8,UTF8ToString \
  -s EXPORTED_FUNCTIONS=_main,_malloc,_free,_crux_engine_new,_crux_engine_limit,_crux_tasks,_crux_call,_crux_page_call

# crux in one thread: no server, no screen, no other system's file of src/port.
wasm_sources := $(filter-out src/serve/% src/host/mpi_% src/host/plugin_lua.c src/host/compile_modules.c src/host/screen_lua.c \
  src/port/linux.c src/port/macos.c,$(sort $(wildcard src/*/*.c)))
wasm_objects := $(wasm_sources:src/%.c=$(wasm)/crux/%.o) $(wasm)/crux/host/compiled_modules.o

# clang is called by itself, as emcc, in Python, takes as long again for each file.
$(wasm)/flags:
	@mkdir -p $(@D)
	$(emcc) $(wasm_jumps) --cflags > $@

$(wasm)/sources/done: wasm/sources.sh
	wasm/sources.sh $(@D)
	touch $@

$(wasm)/libraries.a $(wasm)/clp.a: $(wasm)/sources/done wasm/libraries.sh wasm/lapack.c | $(wasm)/flags
	AR=emar ALGORITHMS=neldermead wasm/libraries.sh $@ $(wasm)/sources $(wasm_clang)

$(wasm)/crux/%.o: src/%.c wasm.mk | $(wasm)/sources/done $(wasm)/flags
	@mkdir -p $(@D)
	$(wasm_clang) $(wasm_flags) -c -o $@ $<

$(wasm)/crux/port/wasm-clp.o: src/port/wasm.c wasm.mk | $(wasm)/sources/done $(wasm)/flags
	@mkdir -p $(@D)
	$(wasm_clang) $(wasm_flags) -DCRUX_CLP -c -o $@ $<

$(wasm)/crux/trace/program.o $(wasm)/crux/search/coins.o $(wasm)/crux/fit/cholesky.o $(wasm)/crux/fit/ols.o $(wasm)/crux/fit/sums.o: wasm_flags += -O3
$(wasm)/crux/states/state_set.o: wasm_flags += -msse2

$(package)/crux.js $(package)/crux-clp.js: wasm/absent.js

$(package)/crux.js: $(wasm_objects) $(wasm)/libraries.a
	@mkdir -p $(@D)
	$(emcc) -O2 $(wasm_jumps) $(wasm_link) -o $@ $(filter %.o %.a,$^)

$(package)/crux-clp.js: $(filter-out %/port/wasm.o,$(wasm_objects)) $(wasm)/crux/port/wasm-clp.o $(wasm)/libraries.a $(wasm)/clp.a
	@mkdir -p $(@D)
	$(emcc) -lstdc++ -O2 $(wasm_jumps) $(wasm_link) -o $@ $(filter %.o %.a,$^)

# The engine's modules are in crux.data, as bytecode, not in the program.
$(wasm)/crux/host/compiled_modules.o: | $(wasm)/sources/done $(wasm)/flags
	@mkdir -p $(@D)
	printf $(no_modules) | $(wasm_clang) $(wasm_flags) -x c -c -o $@ -

$(wasm)/lua.js: $(wasm)/libraries.a
	$(wasm_clang) -w -I$(wasm)/sources/include -c -o $(wasm)/lua.o $(wasm)/sources/lua/src/lua.c
	$(emcc) $(wasm_jumps) -s NODERAWFS=1 -s EXIT_RUNTIME=1 -o $@ $(wasm)/lua.o $<

# What runs crux's own tests in Lua, in node, on the files of this machine.
$(wasm)/lua_host.js: tests/c/lua_host.c wasm/environment.js $(filter-out %/main.o %/port/wasm.o,$(wasm_objects)) $(wasm)/crux/port/wasm-clp.o $(wasm)/libraries.a $(wasm)/clp.a
	$(wasm_clang) $(wasm_flags) -c -o $(wasm)/lua_host.o $<
	$(emcc) -lstdc++ -s ASSERTIONS=0 $(wasm_jumps) --js-library wasm/absent.js --pre-js wasm/environment.js -s NODERAWFS=1 -s EXIT_RUNTIME=1 \
	  -s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=4GB -s TOTAL_STACK=8MB -o $@ $(wasm)/lua_host.o $(filter %.o %.a,$^)

# Tar archives, always of the same bytes; the page has neither commands nor servers.
packed := tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w -C $(wasm)/home
wasm_files := $(shell find games rules templates web -type f)
$(package)/crux.data: $(wasm)/lua.js wasm/dump.lua $(modules) $(wasm_files)
	rm -rf $(wasm)/home
	mkdir -p $(@D) $(addprefix $(wasm)/home/,$(sort $(dir $(modules))))
	node --no-experimental-fetch $< wasm/dump.lua $(wasm)/home $(modules)
	cp -r games rules templates web $(wasm)/home
	$(packed) -c . | gzip -9n > $@

$(wasm)/page.data: $(package)/crux.data
	$(packed) --exclude=lua/crux/cli --exclude=lua/crux/serve --exclude='lua/crux/task/study*' -c games rules lua | gzip -9n > $@

$(addprefix $(package)/,engine.js index.js index.d.ts cli.js package.json): $(package)/%: wasm/%
	@mkdir -p $(@D)
	cp $< $@

# The workbench as one page, and what keeps it for visits without a network.
$(wasm)/site/workbench.html: wasm/page.js wasm/worker.js web/workbench/alone.js $(wasm)/page.data $(addprefix $(package)/,crux.js engine.js)
	@mkdir -p $(@D)
	node $< $(wasm) > $@ || { rm -f $@; exit 1; }

$(wasm)/site/clp.js: wasm/page.js wasm/worker.js $(addprefix $(package)/,crux-clp.js engine.js)
	@mkdir -p $(@D)
	node $< $(wasm) clp > $@ || { rm -f $@; exit 1; }

$(wasm)/site/offline.js: wasm/offline.js
	@mkdir -p $(@D)
	cp $< $@

site: all wasm ## the documentation with all games to play, as pages for any web host, in build/site, if pandoc is installed
	@command -v pandoc > /dev/null || { echo "make site needs pandoc: $(root) apt-get install -y pandoc"; exit 1; }
	wasm/site.sh $(build)/site

test-wasm: export CRUX_TEST_LONG := 1
test-wasm: export CRUX_TEST_BROWSER := 1
test-wasm: all $(build)/tests/lua_host ## crux as WebAssembly in node and Chromium, if emscripten is installed and Debian's sources can be had
	@missing="$(wasm_missing)"; [ "$$missing" ] || $(MAKE) -s $(wasm)/sources/done || missing="the libraries' sources"; \
	if [ "$$missing" ]; then echo "crux as WebAssembly: skipped, as this is missing: $$missing"; echo "0 passed, 0 failed"; \
	else $(MAKE) -s wasm $(wasm)/lua_host.js && CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) tests/run.sh $(build) tests/wasm/*_test.lua; fi

bench-wasm: all wasm $(build)/tests/lua_host ## time crux as WebAssembly beside the native program, and its page in chromium
	@CRUX=$(CURDIR)/$(program) CRUX_HOME=$(CURDIR) CRUX_TEST_FOLDER=$$(mktemp -d) $(build)/tests/lua_host tests/bench/wasm_bench.lua

.PHONY: bench-wasm site test-wasm wasm wasm-missing
-include $(wildcard $(wasm)/crux/*/*.d)
