# crux for macOS, made on Linux by Zig's compiler, which has Apple's headers, with the libraries from Debian's sources: it shows that
# crux compiles and links there. Nothing of it is run. Zig's linker takes no list of names to export.

ZIG ?= zig
tbd_target = $(patsubst aarch64,arm64,$*)-macos
zig_products := crux libcrux.a libcrux.dylib crux.so

macos: $(foreach machine,aarch64 x86_64,build/macos-$(machine)/crux) ## crux for macOS, in build/macos-aarch64 and build/macos-x86_64, if Zig is installed

build/macos-%/libraries.a: $(wasm)/sources/done wasm/libraries.sh wasm/lapack.c
	@mkdir -p $(@D)
	AR='$(ZIG) ar' ALGORITHMS='*' wasm/libraries.sh $@ $(wasm)/sources $(ZIG) cc -target $*-macos -O2

# What the linker needs to know of Homebrew's ncurses: its place, and its names, which are those of Debian's.
build/macos-%/libncursesw.tbd:
	@mkdir -p $(@D)
	@nm -D --defined-only /usr/lib/$$($(CC) -print-multiarch)/libncursesw.so.6 /usr/lib/$$($(CC) -print-multiarch)/libtinfo.so.6 | \
	  sed -n 's/.* [BDRTV] \([a-zA-Z_0-9]*\)@.*/_\1/p' | sort -u | paste -s -d , - | sed "s|.*|--- !tapi-tbd\n\
	tbd-version: 4\ntargets: [ $(tbd_target) ]\ninstall-name: '/opt/homebrew/opt/ncurses/lib/libncursesw.6.dylib'\n\
	exports:\n  - targets: [ $(tbd_target) ]\n    symbols: [ & ]\n...|" > $@

build/macos-%/crux: build/macos-%/libraries.a build/macos-%/libncursesw.tbd build/compile_modules FORCE
	@$(MAKE) --no-print-directory SYSTEM=Darwin CC='$(ZIG) cc -target $*-macos' AR='$(ZIG) ar' build=$(@D) output=$(@D)/ missing= mpi_program= \
	  compile_modules=build/compile_modules headers=/usr/include LUA_CFLAGS='-isystem $(wasm)/sources/include -idirafter /usr/include' \
	  system_flags='$$(posix_flags)' seccomp= hardening= exported= libraries='$< -L$(@D) -lncursesw' $(addprefix $(@D)/,$(zig_products))

.PRECIOUS: build/macos-%/libraries.a build/macos-%/libncursesw.tbd
.PHONY: macos
