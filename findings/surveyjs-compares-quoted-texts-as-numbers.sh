#!/bin/sh
# A condition of SurveyJS such as {zip} = '01067' also holds for the answer 1067, although the value is quoted, and {block} = '1e2'
# for the choice "100" of a list that has both: whoever chose the other block is asked the questions of this one. The other way
# round, {zip} = '1067' does not hold for 01067.
# Expected: texts in quotation marks are texts, as other ones are; the answers themselves are kept as they were given.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund survey-core@3.1.1
cat > check.js <<'END'
import { Model } from 'survey-core';
const judge = (answer, visibleIf) => {
  const choices = ['100', '1e2', '01067', '1067', 'a', 'b'];
  const survey = new Model({
    elements: [{ type: 'dropdown', name: 'one', choices }, { type: 'text', name: 'two', visibleIf }],
  });
  survey.getQuestionByName('one').value = answer;
  const { isVisible } = survey.getQuestionByName('two');
  console.log(`answer ${JSON.stringify(survey.data.one)}, ${visibleIf}: ${isVisible}`);
  return isVisible;
};
console.log('survey-core 3.1.1');
const results = [
  judge('a', "{one} = 'a'"),
  judge('a', "{one} = 'b'"),
  judge('1067', "{one} = '01067'"),
  judge('01067', "{one} = '1067'"),
  judge('100', "{one} = '1e2'"),
  judge('1067', "{one} anyof ['01067']"),
];
process.exit(results.join() === 'true,false,true,false,true,true' ? 0 : 1);
END
node check.js
