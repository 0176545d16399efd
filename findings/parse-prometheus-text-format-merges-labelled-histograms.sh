#!/bin/sh
# parse-prometheus-text-format makes one histogram, or summary, of all that have a name: of those of several routes only the buckets of
# the last one are left, without its labels, count and sum, so that nothing shows that the others are missing. A histogram without
# labels is read well. A name in quotation marks, as Prometheus 3 writes one with full stops, becomes part of a label, and the value
# is lost; with a blank after a comma, nothing at all is read.
# Expected: a histogram for each set of labels, with its count and sum, as python3-prometheus-client reads them (Prometheus, Exposition
# formats, Text format details: histograms and summaries; line format, by which any number of blanks may be between tokens, and
# names may be quoted).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
chmod 755 .
apt-get download -qq python3-prometheus-client=0.16.0-0.1 2> /dev/null
dpkg-deb -x python3-prometheus-client_*.deb .
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund parse-prometheus-text-format@1.1.1 prom-client@15.1.3
cat > check.js <<'END'
import { writeFileSync } from 'node:fs';
import parse from 'parse-prometheus-text-format';
import { Histogram, Registry, Summary } from 'prom-client';
const write = async (Metric, labelNames) => {
  const options = Metric === Histogram ? { buckets: [1] } : { percentiles: [0.5] };
  const registers = [new Registry()];
  const metric = new Metric({ name: 'seconds', help: 'Duration', labelNames, registers, ...options });
  for (const [route, value] of [['/a', 0.5], ['/b', 3]]) metric.observe(labelNames.length ? { route } : {}, value);
  return `${(await registers[0].metrics()).trim()}\n`;
};
const texts = {
  histogram: await write(Histogram, []),
  'histogram with labels': await write(Histogram, ['route']),
  'summary with labels': await write(Summary, ['route']),
  'name with full stops': '# TYPE "app.people" gauge\n{"app.people",state="active"} 5\n',
  'a blank after a comma': '# TYPE people gauge\npeople{state="active", role="user"} 5\n',
};
console.log('parse-prometheus-text-format 1.1.1, of texts by prom-client 15.1.3 (the first three)');
for (const [title, text] of Object.entries(texts)) {
  let result;
  try {
    result = JSON.stringify(parse(text).map(({ name, metrics }) => ({ name, metrics })));
  } catch ({ message }) {
    result = message;
  }
  console.log(`${title}: ${result}`);
}
writeFileSync('labels', texts['histogram with labels']);
END
cat > check.py <<'END'
from importlib.metadata import version
from prometheus_client.parser import text_string_to_metric_families
print('python3-prometheus-client', version('prometheus_client'))
for family in text_string_to_metric_families(open('labels').read()):
    for sample in family.samples:
        print(sample.name, sample.labels, sample.value)
END
{
  node check.js
  PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 check.py
} > seen
cat seen
cat > expected <<'END'
parse-prometheus-text-format 1.1.1, of texts by prom-client 15.1.3 (the first three)
histogram: [{"name":"seconds","metrics":[{"buckets":{"1":"1","+Inf":"2"},"count":"2","sum":"3.5"}]}]
histogram with labels: [{"name":"seconds","metrics":[{"buckets":{"1":"0","+Inf":"1"}}]}]
summary with labels: [{"name":"seconds","metrics":[{"quantiles":{"0.5":"3"}}]}]
name with full stops: [{"name":"\"app.people\"","metrics":[{"labels":{"\"app.people\",state":"active"}}]}]
a blank after a comma: Encountered invalid line: people{state="active", role="user"} 5
python3-prometheus-client 0.16.0
seconds_bucket {'le': '1', 'route': '/a'} 1.0
seconds_bucket {'le': '+Inf', 'route': '/a'} 1.0
seconds_sum {'route': '/a'} 0.5
seconds_count {'route': '/a'} 1.0
seconds_bucket {'le': '1', 'route': '/b'} 0.0
seconds_bucket {'le': '+Inf', 'route': '/b'} 1.0
seconds_sum {'route': '/b'} 3.0
seconds_count {'route': '/b'} 1.0
END
diff expected seen && echo 'as expected'
