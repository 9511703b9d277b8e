# Linux: where Debian has the libraries, and how the linker is called.

headers := /usr/include
LUA_CFLAGS ?= -I/usr/include/lua5.4
LUA_LIBS ?= -llua5.4-lpeg -llua5.4
libraries := $(LUA_LIBS) -lcsv -lncursesw -lcminpack -lnlopt -lxxhash -llapacke -llapack -lblas -lm -ldl -pthread
hardening = $(or $(sanitizers),-z relro -z now)
archive_flags := rcsD
# The file of the library, its versions, and the option that writes its name into it.
library_file = libcrux.so$(1)
library_name := -Wl,-soname,
# The map names the exported functions: hidden visibility has no effect on functions that are compiled for several processors
# (src/base/clones.h).
exported = -Wl,--version-script=$(1)
map = (echo '{ global:'; sed 's/$$/;/'; echo 'local: *; };')
