import { useRef, useState } from 'preact/hooks';
import { reloadProps } from '../../../api/component-api.ts';
import type { Component, Single } from '../../../api/wire.ts';
import { useNotices } from '../../../components/notices.tsx';
import { type FieldDefinition, fieldsOf } from '../../../props/prop-schema.ts';
import { pickComponent, type Origin } from './component-picker.ts';

interface Picked {
  component: Component;
  warnings: readonly string[];
  fields: readonly FieldDefinition[];
}

/** A build result, with the input that produced it. */
interface Build {
  of: string;
  /** Undefined after a refusal, which is shown. */
  picked: Promise<Picked | undefined>;
}

/** The component of a form. It is built when its code is complete, so that its props can be shown. */
export function usePickedComponent() {
  const { refuse } = useNotices();
  const [picked, setPicked] = useState<Picked>();
  const [error, setError] = useState<unknown>();
  const [isBuilding, setBuilding] = useState(false);
  const latest = useRef<Build>();
  const reloads = useRef(0);

  /** The same text is built once: each other text becomes one more saved component. */
  function pick(origin: Origin, text: string): Promise<Picked | undefined> {
    const of = `${origin}:${text}`;
    if (latest.current?.of === of) return latest.current.picked;
    const build: Build = { of, picked: Promise.resolve(undefined) };
    latest.current = build;
    build.picked = show(build, pickComponent(origin, text));
    return build.picked;
  }

  /** Shows the component or its refusal. A slower response about an earlier text must not replace it. */
  async function show(build: Build, response: Promise<Single<Component>>): Promise<Picked | undefined> {
    setBuilding(true);
    try {
      const { data: component, warnings = [] } = await response;
      const next = { component, warnings, fields: fieldsOf(component.configurable_props) };
      if (latest.current !== build) return next;
      setPicked(next);
      setError(undefined);
      setBuilding(false);
      return next;
    } catch (refused) {
      if (latest.current !== build) return undefined;
      latest.current = undefined;
      setPicked(undefined);
      setError(refused);
      setBuilding(false);
      return undefined;
    }
  }

  function reload(values: Record<string, unknown>): void {
    const build = latest.current;
    if (!picked || !build) return;
    reloads.current += 1;
    const own = reloads.current;
    reloadProps(picked.component.id, values).then(({ data }) => {
      // A slower response about earlier values must not replace it.
      if (own !== reloads.current) return;
      const next = { ...picked, fields: fieldsOf(data.configurable_props) };
      build.picked = Promise.resolve(next);
      if (latest.current === build) setPicked(next);
    }, refuse);
  }

  return { picked, error, isBuilding, pick, reload };
}
