# The Debian packages that crux needs. Targets that install them do so before the Makefile looks for what is optional.

# To build and run; for `crux serve`, the wall of system calls, files of zstd, maps in XML and pictures (`make demo OPTIONAL_PACKAGES=` does without); for the demo; to
# test; to lint; to fuzz; to analyse.
packages := libc6-dev liblua5.4-dev lua-lpeg-dev libcsv-dev lua-argparse libncurses-dev coinor-libclp-dev libcminpack-dev libnlopt-dev libxxhash-dev liblapacke-dev zlib1g-dev
OPTIONAL_PACKAGES ?= libmicrohttpd-dev libsqlite3-dev libseccomp-dev libzstd-dev libexpat1-dev libpng-dev
demo_packages := lua5.4
test_packages := lua-unit curl $(demo_packages)
lint_packages := lua-check
fuzz_packages := clang libclang-rt-14-dev
analyse_packages := clang cppcheck

goals := $(if $(findstring n,$(firstword -$(MAKEFLAGS))),,$(MAKECMDGOALS)) # make -n installs nothing
testing := $(filter coverage test test-long test-sanitize,$(goals))
installing := $(testing)$(filter analyse build-clang demo fuzz lint,$(goals))
needed := $(filter-out $(if $(filter plugin install-plugin,$(goals)),lua% liblua%),$(packages)) \
  $(if $(testing),$(OPTIONAL_PACKAGES) $(test_packages)) $(if $(filter demo,$(goals)),$(OPTIONAL_PACKAGES) $(demo_packages)) \
  $(if $(filter lint,$(goals)),$(lint_packages)) $(if $(filter fuzz,$(goals)),$(fuzz_packages)) \
  $(if $(filter analyse,$(goals)),$(OPTIONAL_PACKAGES) $(analyse_packages))
compiler := $(or $(filter clang,$(CC)),gcc)
there := $(patsubst %=installed,%,$(shell dpkg-query -W -f '$${Package}=$${db:Status-Status} ' $(needed) 2> /dev/null))
missing := $(if $(and $(filter linux,$(port)),$(shell command -v dpkg-query)),$(if $(shell command -v $(firstword $(CC))),,$(compiler)) $(filter-out $(there),$(needed)))
root := $(if $(filter-out 0,$(shell id -u)),sudo)
install_missing := $(strip $(root) apt-get install -y --no-install-recommends $(missing))

ifneq ($(and $(installing),$(strip $(missing))),)
$(info crux needs packages that are not installed; installing them: $(install_missing))
$(if $(shell export DEBIAN_FRONTEND=noninteractive; { $(root) apt-get -q update && $(install_missing); } >&2 && echo done),, \
  $(error they could not be installed))
missing :=
endif

# Homebrew's, which are only named; `install_missing` has the optional ones, too.
homebrew_packages := lua@5.4 lpeg libcsv ncurses clp cminpack nlopt xxhash openblas
ifeq ($(port),macos)
missing := $(filter-out $(shell brew list --formula -1 2> /dev/null),$(homebrew_packages))
install_missing := brew install $(missing) libmicrohttpd sqlite zstd expat libpng
endif
