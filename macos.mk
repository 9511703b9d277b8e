# macOS: where Homebrew has the libraries, and how Apple's linker is called. linux.mk says what the variables are.

homebrew := $(shell brew --prefix 2> /dev/null)
headers := $(homebrew)/include $(homebrew)/opt/sqlite/include $(shell xcrun --show-sdk-path 2> /dev/null)/usr/include
LUA_CFLAGS ?= -I$(homebrew)/opt/lua@5.4/include/lua
LUA_LIBS ?= $(homebrew)/opt/lpeg/lib/lua/5.4/lpeg.so -L$(homebrew)/opt/lua@5.4/lib -llua
libraries := $(LUA_LIBS) $(foreach folder,$(addprefix $(homebrew)/,lib opt/ncurses/lib opt/openblas/lib),-L$(folder)) \
  -lcsv -lncursesw -lcminpack -lnlopt -lxxhash -lopenblas -lm -pthread
# Libraries that are loaded when they are needed are searched for there.
hardening = $(sanitizers) -Wl,-rpath,$(homebrew)/lib -Wl,-rpath,$(homebrew)/opt/sqlite/lib
archive_flags := rcs
library_file = libcrux$(1).dylib
library_name := -install_name $(LIBDIR)/
exported = -Wl,-exported_symbols_list,$(1)
map = sed 's/^/_/'
plugin_link := -undefined dynamic_lookup # the program that loads it has Lua
# lgamma_r is declared where _REENTRANT is defined, and newlocale in another header. Those of others are not searched for warnings.
posix_flags := -D_REENTRANT -include xlocale.h
system_flags := $(posix_flags) $(foreach folder,include opt/openblas/include opt/ncurses/include opt/ncurses/include/ncursesw,-isystem $(homebrew)/$(folder))
