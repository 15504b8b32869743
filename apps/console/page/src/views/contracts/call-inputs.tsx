import { labelOf } from '../../abi/arguments.js';
import { readableType, type Param } from '../../abi/param.js';

/** A field for each input of a function: values as they are, tuples and arrays as JSON. */
export function CallInputs(props: {
  readonly params: readonly Param[];
  readonly texts: readonly string[];
  readonly onChange: (texts: readonly string[]) => void;
}) {
  const { params, texts, onChange } = props;
  return params.map((param, at) => {
    const text = texts[at] ?? '';
    const change = (value: string) =>
      onChange(params.map((_, index) => (index === at ? value : (texts[index] ?? ''))));
    return (
      <label key={at}>
        <span>
          <bdi>{labelOf(param, at)}</bdi>{' '}
          <small>
            <bdi>{readableType(param).slice(0, 300)}</bdi>
            {isJson(param) && ', as JSON'}
          </small>
        </span>
        <Field param={param} text={text} onChange={change} />
      </label>
    );
  });
}

const isJson = ({ base, dimensions }: Param) => base === 'tuple' || dimensions.length > 0;

function Field(props: {
  readonly param: Param;
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
  const { param, text, onChange } = props;
  if (isJson(param))
    return <textarea rows={3} value={text} onChange={({ target }) => onChange(target.value)} />;
  if (param.base !== 'bool')
    return <input type="text" value={text} onChange={({ target }) => onChange(target.value)} />;
  return (
    <select value={text} onChange={({ target }) => onChange(target.value)}>
      <option value="">choose</option>
      <option>true</option>
      <option>false</option>
    </select>
  );
}
