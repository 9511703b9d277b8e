#!/bin/sh
# Gets the sources of the libraries for WebAssembly from Debian: wasm/sources.sh FOLDER. Lua is as Debian mends it, the others are as
# their authors published them. Then FOLDER/NAME is a library's source, FOLDER/include has the headers by the names that crux uses,
# and FOLDER/f2c is LAPACK's Fortran as C.
set -eu
rm -rf "$1"
mkdir -p "$1/lists/partial" "$1/cache/archives/partial" "$1/include/coin" "$1/f2c"
cd "$1"
apt-get indextargets --format 'deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Identifier: Packages' | sort -u > sources.list
apt() {
  apt-get -qq -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$PWD/lists" \
    -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update || true # fails for repositories of others, whose keys are elsewhere
apt source --download-only --tar-only lua-lpeg libcsv xxhash cminpack nlopt lapack libf2c2 clp coinutils
for file in *.orig.tar.*; do
  mkdir "${file%%_*}"
  tar -xf "$file" -C "${file%%_*}" --strip-components=1
done
apt source lua5.4
mv lua5.4-* lua

cd include
ln -s ../lua/src/*.h ../lapack/CBLAS/include/*.h ../lapack/LAPACKE/include/*.h ../libcsv/csv.h ../xxhash/xxhash.h \
  ../nlopt/src/api/nlopt.h /usr/include/f2c.h .
ln -s /usr/include/zlib.h /usr/include/zconf.h .
ln -s ../lapack/LAPACKE/include/lapacke_mangling_with_flags.h.in lapacke_mangling.h
ln -s ../lapack/CBLAS/include/cblas_mangling_with_flags.h.in cblas_mangling.h
(mkdir cminpack-1 && cd cminpack-1 && ln -s ../../cminpack/cminpack.h .)
(cd coin && ln -s ../../clp/Clp/src/Clp*.h ../../coinutils/CoinUtils/src/Coin*.h .)
echo '#define DEB_HOST_MULTIARCH "wasm32"' > lua5.4-deb-multiarch.h
printf '#define %s\n' 'HAVE_STDINT_H 1' 'HAVE_UINT32_T 1' 'HAVE_UNISTD_H 1' 'HAVE_SYS_TIME_H 1' 'HAVE_GETTIMEOFDAY 1' 'HAVE_COPYSIGN 1' 'HAVE_ISNAN 1' \
  'HAVE_ISINF 1' 'SIZEOF_UNSIGNED_INT 4' 'SIZEOF_UNSIGNED_LONG 4' 'MAJOR_VERSION 2' 'MINOR_VERSION 7' 'BUGFIX_VERSION 1' THREADLOCAL \
  > nlopt_config.h

# f2c knows the words of Fortran 77; its subroutines return nothing, and WebAssembly checks that.
cd ../lapack
for name in ddot dgemm dgemv dger dscal dsyrk dtpmv dtrmm dtrmv dtrsm dtrsv lsame; do echo BLAS/SRC/$name.f; done > ../fortran
for name in disnan dlacpy dlae2 dlaisnan dlanst dlapy2 dlarf dlarfg dlarfx dlascl dlasrt dlauu2 dlauum dpotrf dpotrf2 dpotri dpotrs \
  dsterf dtpqrt dtpqrt2 dtprfb dtrti2 dtrtri dtrtrs ieeeck iladlc iladlr ilaenv iparmq; do echo SRC/$name.f; done >> ../fortran
while read -r file; do
  sed -E 's/, *INTENT\(IN\) *:://I; s/RECURSIVE //I' "$file" > "../f2c/${file##*/}"
done < ../fortran
cp CBLAS/src/ddotsub.f CBLAS/src/dnrm2sub.f ../f2c
cd ../f2c
f2c -a ./*.f 2> /dev/null
sed -i 's|/\* Subroutine \*/ int|void|' ./*.c
