import { useInfiniteQuery } from '@tanstack/preact-query';
import { getOptions } from '../api/component-api.ts';
import { type FieldDefinition, type Option, optionOf } from './prop-schema.ts';

interface OptionsInput {
  componentId: string;
  field: FieldDefinition;
  /** The values of the form, on which options may depend. */
  values: Record<string, unknown>;
  search: string;
}

interface FoundOptions {
  options: readonly Option[];
  error: unknown;
  isLoading: boolean;
  /** Reads the next page, when there is one. */
  more: (() => void) | undefined;
}

interface OptionsPage {
  page: number;
  context: unknown;
}

const FIRST_OPTIONS: OptionsPage = { page: 0, context: undefined };

/** The options of a prop. A component may read them from an API, page by page. */
export function useOptions({ componentId, field, values, search }: OptionsInput): FoundOptions {
  const { name, hasRemoteOptions } = field;
  const others = Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
  const query = useInfiniteQuery({
    queryKey: ['options', componentId, name, others, search],
    queryFn: ({ pageParam: { page, context } }) =>
      getOptions({
        id: componentId,
        prop_name: name,
        configured_props: others,
        ...(search === '' ? {} : { query: search }),
        ...(page === 0 ? {} : { page, prev_context: context ?? {} }),
      }),
    enabled: hasRemoteOptions,
    initialPageParam: FIRST_OPTIONS,
    getNextPageParam: ({ data: { options, context } }, pages): OptionsPage | undefined =>
      options.length > 0 && context !== undefined ? { page: pages.length, context } : undefined,
    placeholderData: (shown) => shown,
    retry: false,
  });
  const remote = query.data?.pages.flatMap(({ data }) => data.options.map(optionOf)) ?? [];
  return {
    options: hasRemoteOptions ? remote : (field.options ?? []),
    error: hasRemoteOptions ? query.error : null,
    isLoading: hasRemoteOptions && query.isLoading,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  };
}
