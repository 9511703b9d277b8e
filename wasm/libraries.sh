#!/bin/sh
# Compiles libraries for another system: AR=PROGRAM ALGORITHMS=FOLDERS wasm/libraries.sh ARCHIVE SOURCES CLANG FLAG... makes the
# archive clp.a, Clp, or libraries.a, all others that crux uses, with these ALGORITHMS of NLopt. SOURCES is what sources.sh made.
set -eu
archive=$1 from=$2
shift 2
clang=$*
objects=${archive%.a}

list_libraries() {
  ls "$from"/lua/src/*.c "$from"/lua-lpeg/lp*.c "$from/libcsv/libcsv.c" "$from/xxhash/xxhash.c" "$from"/f2c/*.c wasm/lapack.c |
    grep -v -E '/luac?\.c$'
  for name in lmder lmpar enorm qrfac qrsolv dpmpar; do echo "$from/cminpack/$name.c"; done
  for name in d_sign i_len i_nint s_cat s_cmp s_copy; do echo "$from/libf2c2/$name.c"; done
  for name in ddot dnrm2 dsyrk dtpmv dtrmv dtrsm dtrsv; do echo "$from/lapack/CBLAS/src/cblas_$name.c"; done
  for name in cblas_xerbla cblas_globals; do echo "$from/lapack/CBLAS/src/$name.c"; done
  for name in dlacpy dlarfg dlarfx dpotrf dpotri dpotrs dsterf dtpqrt dtrtri dtrtrs; do
    echo "$from/lapack/LAPACKE/src/lapacke_${name}_work.c"
  done
  for name in dge_trans dpo_trans dtr_trans dtz_trans dsy_trans xerbla; do echo "$from/lapack/LAPACKE/utils/lapacke_$name.c"; done
  ls "$from"/nlopt/src/api/general.c "$from"/nlopt/src/api/op*.c "$from"/nlopt/src/api/deprecated.c "$from"/nlopt/src/util/*.c \
    "$from"/nlopt/src/algs/$ALGORITHMS/*.c | grep -v -E "_test|getopt|tstc|cquad|DIRparallel"
}

# What runs when crux calls Clp; nothing calls what needs the other files, and wasm-ld asks for no name that nothing uses.
list_clp() {
  for name in DualRowDantzig DualRowPivot DualRowSteepest DynamicMatrix EventHandler Factorization HelperFunctions LinearObjective \
    MatrixBase Message Model NetworkBasis NetworkMatrix NonLinearCost Objective PEDualRowSteepest PEPrimalColumnSteepest PESimplex \
    PackedMatrix PrimalColumnPivot PrimalColumnSteepest QuadraticObjective Simplex SimplexDual SimplexNonlinear SimplexPrimal Solve \
    _C_Interface; do echo "$from/clp/Clp/src/Clp$name.cpp"; done
  for name in DenseFactorization Error Factorization1 Factorization2 Factorization3 Factorization4 IndexedVector Message MessageHandler \
    OslFactorization OslFactorization2 OslFactorization3 PackedMatrix SimpFactorization; do
    echo "$from/coinutils/CoinUtils/src/Coin$name.cpp"
  done
}

flags_of_libraries="-ffp-contract=off -DADD_ -DNO_OVERWRITE -DLUA_COMPAT_5_3 -DLUA_USE_POSIX -I$from/include -I$from/nlopt/src/api -I$from/nlopt/src/util $(printf ' -I%s' "$from"/nlopt/src/algs/*)"
flags_of_clp="-std=c++14 -DNDEBUG $(printf ' -DHAVE_C%s' ASSERT CTYPE FLOAT INTTYPES LIMITS MATH STDDEF STDINT STDIO STDLIB STRING TIME) \
  -I$from/coinutils/CoinUtils/src -I$from/clp/Clp/src -I$from/clp/BuildTools/headers"

rm -rf "${objects:?}" "$archive"
mkdir -p "$objects"
case $objects in
  */clp) # the headers of C++, which take longer than many a file, are read once
    printf '#include <%s>\n' algorithm cassert cfloat cmath cstdio cstdlib cstring iostream map string vector > "$objects/all.hpp"
    # shellcheck disable=SC2086 # lists
    $clang $flags_of_clp -x c++-header "$objects/all.hpp" -o "$objects/all.pch"
    list=list_clp flags="$flags_of_clp -include-pch $objects/all.pch" ;;
  *) list=list_libraries flags=$flags_of_libraries ;;
esac
$list | xargs -P "$(nproc)" -I{} sh -c "$(echo "$clang $flags") -w -Wno-return-type -c {} -o $objects/\$(echo {} | tr / _).o || exit 255"
LC_ALL=C $AR rcsD "$archive" "$objects"/*.o
