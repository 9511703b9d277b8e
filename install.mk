# The files that `make install` copies, as FILE=PLACE, and its links, as PLACE=TARGET. DESTDIR is put before every place.

version := $(shell sed -n 's/^\#define CRUX_VERSION "\(.*\)"/\1/p' src/crux.h)
# Before version 1.0 a new second number may come with another binary interface.
soname := $(call library_file,.$(basename $(version)))
versioned := $(build)/$(call library_file,.$(version))
pages := $(build)/crux.1 $(build)/crux.bash $(build)/_crux $(build)/crux.pc
home := $(DATADIR)/crux

installed_programs := $(program)=$(BINDIR)/crux $(if $(mpi_program),$(mpi_program)=$(BINDIR)/crux-mpi)
installed_python := python/crux/__init__.py=$(PYTHON_MODULES)/crux/__init__.py
installed_plugin := $(plugin)=$(LUA_MODULES)/crux.so \
  $(foreach file,$(shell find lua games rules templates datasets web -type f),$(file)=$(home)/$(file))
# What `make wasm` made, for crux site.
installed_site := $(foreach file,$(wildcard $(build)/wasm/site/*),$(file)=$(home)/site/$(notdir $(file)))
installed_rest := $(versioned)=$(LIBDIR)/$(notdir $(versioned)) $(archive)=$(LIBDIR)/libcrux.a \
  src/crux.h=$(INCLUDEDIR)/crux.h types/crux.lua=$(home)/types/crux.lua $(build)/crux.pc=$(LIBDIR)/pkgconfig/crux.pc \
  $(build)/crux.1=$(DATADIR)/man/man1/crux.1 $(build)/crux.bash=$(DATADIR)/bash-completion/completions/crux \
  $(build)/_crux=$(DATADIR)/zsh/site-functions/_crux LICENSE=$(DATADIR)/doc/crux/copyright \
  $(foreach file,$(shell find *.md CITATION.cff docs examples -type f ! -path 'docs/*.lua'),$(file)=$(DATADIR)/doc/crux/$(file))
# Pages name files of datasets/ and link to the license.
links := $(LIBDIR)/$(soname)=$(notdir $(versioned)) $(LIBDIR)/$(call library_file)=$(soname) \
  $(DATADIR)/doc/crux/datasets=../../crux/datasets $(DATADIR)/doc/crux/LICENSE=copyright

# A shell loop over the pairs of a list, which sets $$file and $$place.
each = for pair in $(1); do file=$${pair%%=*}; place="$(DESTDIR)$${pair\#*=}";
put = set -e; $(call each,$(2)) mkdir -p "$${place%/*}"; install -m $(1) "$$file" "$$place"; done

install: all $(versioned) $(pages) install-plugin ## install below PREFIX, or DESTDIR and PREFIX
	@$(call put,755,$(installed_programs))
	@$(call put,644,$(installed_rest) $(installed_python) $(installed_site))
	@set -e; for link in $(links); do ln -sf "$${link#*=}" "$(DESTDIR)$${link%%=*}"; done

install-plugin: $(plugin) # only the files that require "crux" needs
	@$(call put,644,$(installed_plugin))

uninstall: ## remove what install put there, by the same PREFIX and DESTDIR
	@$(call each,$(installed_programs) $(installed_plugin) $(installed_rest) $(installed_python) $(installed_site)) rm -f "$$place"; done
	@for link in $(links); do rm -f "$(DESTDIR)$${link%%=*}"; done
	@for folder in $(home) $(DATADIR)/doc/crux; do \
	  test ! -d "$(DESTDIR)$$folder" || find "$(DESTDIR)$$folder" -depth -type d -empty -delete; done

plugin: $(plugin) ## build crux.so alone, for require "crux" in stock Lua 5.4

tarball := crux-$(version).tar.gz
dist: ## pack the last commit as build/crux-VERSION.tar.gz, with its checksum: always the same bytes
	@mkdir -p $(build)
	git -c tar.umask=0022 -c tar.tar.gz.command='gzip -9n' archive --prefix=crux-$(version)/ -o $(build)/$(tarball) HEAD
	cd $(build) && sha256sum $(tarball) > $(tarball).sha256

deb: dist ## build the Debian packages of the last commit, in build/deb
	rm -rf $(build)/deb
	mkdir $(build)/deb
	tar -xf $(build)/$(tarball) -C $(build)/deb
	cd $(build)/deb/crux-$(version) && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc

# The tests' own programs go below the prefix, too, where they find the installed home as crux does.
stage := $(CURDIR)/$(build)/stage/usr
test-installed: $(tests) ## install below build/stage, run the suite on what is there
	rm -rf $(build)/stage
	@$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(CURDIR)/$(build)/stage
	@cp -lr $(build)/tests $(stage)
	@env -u CRUX_HOME CRUX=$(stage)/bin/crux CRUX_PLUGIN=$(stage)/lib/lua/5.4 tests/run.sh $(stage)

$(versioned): $(objects) $(build)/crux.map
	$(link_shared) $(library_name)$(soname) -o $@ $(objects) $(libraries)

print = CRUX_HOME=$(CURDIR) ./$(program) help $(1) > $@ || { rm -f $@; exit 1; }
tables := $(wildcard lua/crux/cli/*.lua lua/crux/task/*.lua games/*.lua rules/*.lua)

$(build)/crux.1: $(program) $(tables)
	@$(call print,--man)

$(build)/crux.bash: $(program) $(tables)
	@$(call print,--completion bash)

$(build)/_crux: $(program) $(tables)
	@$(call print,--completion zsh)

# Written anew each time, as the folders may have changed.
$(build)/crux.pc: FORCE
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR:$(PREFIX)/%=$${prefix}/%)' \
	  'includedir=$(INCLUDEDIR:$(PREFIX)/%=$${prefix}/%)' '' 'Name: crux' \
	  'Description: rates how hard puzzle levels are, with rules written in Lua' 'Version: $(version)' \
	  'Libs: -L$${libdir} -lcrux' 'Libs.private: $(libraries)' 'Cflags: -I$${includedir}' > $@

.PHONY: FORCE install-plugin
