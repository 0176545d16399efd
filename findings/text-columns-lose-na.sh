#!/bin/sh
# To read every column of a CSV file as text is not enough to keep its texts: pandas with dtype=str and R with
# colClasses="character" still turn people whose name is "NA" into missing values, pandas also "null" and "nan".
# Only keep_default_na=False and na.strings=NULL keep them. Quotation marks in the file make no difference.
# Needs Debian 12's python3-pandas and r-base-core.
set -eu
fail() { echo "$*" >&2; exit 1; }
for package in python3-pandas:1.5.3 r-base-core:4.2.2; do
  version=$(dpkg-query -W -f '${Version}' "${package%%:*}" 2>/dev/null) || fail "${package%%:*} is not installed"
  case "$version" in "${package##*:}"*) echo "${package%%:*} $version" ;; *) fail "unexpected: ${package%%:*} $version" ;; esac
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"
printf '"name"\n"NA"\n"null"\n"nan"\n"007"\n' > names.csv
{
  /usr/bin/python3 - <<'END'
import pandas
def show(title, **options):
    names = pandas.read_csv('names.csv', **options)['name']
    print('pandas', title, ' '.join('(missing)' if pandas.isna(name) else str(name) for name in names))
show('dtype=str:', dtype=str)
show('dtype=str, keep_default_na=False:', dtype=str, keep_default_na=False)
END
  Rscript --vanilla -e '
show <- function(title, ...) {
  name <- read.csv("names.csv", ...)$name
  cat("R", title, ifelse(is.na(name), "(missing)", name), fill = 200)
}
show("colClasses=character:", colClasses = "character")
show("colClasses=character, na.strings=NULL:", colClasses = "character", na.strings = NULL)'
} > seen
cat seen
cat > expected <<'END'
pandas dtype=str: (missing) (missing) (missing) 007
pandas dtype=str, keep_default_na=False: NA null nan 007
R colClasses=character: (missing) null nan 007
R colClasses=character, na.strings=NULL: NA null nan 007
END
diff expected seen && echo 'as expected'
